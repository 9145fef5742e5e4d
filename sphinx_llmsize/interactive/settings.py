"""Settings of the controls at which an exploration looks."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sphinx_llmsize.interactive.controls import Control
from sphinx_llmsize.traced import Trace, evaluate

Setting = dict[str, int]
"""Value of each control, by name."""
STEPS = 12
"""Number of steps of each control that are looked at."""
RANDOM = 200
"""Number of settings with several controls at random steps."""


def settings(controls: tuple[Control, ...]) -> Iterator[Setting]:
    """Each control alone, at its steps and next to its value, then several at random.

    They have only the values that are set, not those of the other controls.
    """
    for control in controls:
        every = max(len(control.steps) // STEPS, 1)
        beside = (control.value + 1,) if control.key and control.value < control.most else ()
        for step in (*control.steps[::every], *control.steps[-1:], *beside):
            yield {control.name: step}
    chosen = random.Random(0)  # noqa: S311 - the same for each build
    for _number in range(RANDOM if len(controls) > 1 else 0):
        several = chosen.sample(controls, chosen.randint(2, len(controls)))
        yield {c.name: chosen.choice(c.steps) for c in several}


def following(trace: Trace, controls: tuple[Control, ...], written: Setting) -> Setting:
    """The values of all controls, of which some are written, and others follow these."""
    setting = {each.name: written.get(each.name, each.value) for each in controls}
    followers = {c.name: c.follows for c in controls if c.follows is not None}
    last = max(followers.values(), default=-1)  # later expressions don't matter
    values = evaluate(trace.nodes[: last + 1], setting)
    for name, node in followers.items():
        if name not in written and values[node]:
            setting[name] = int(values[node] or 0)
    return setting
