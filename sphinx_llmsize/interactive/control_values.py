"""Values of the controls, and those at which an exploration traces the views."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sphinx_llmsize.interactive.controls import Control
from sphinx_llmsize.traced import Trace, evaluate

ControlValues = dict[str, int]
"""Value of each control, by name."""
STEPS_TO_EXPLORE = 12
"""Approximate number of steps of each control."""
RANDOM_TO_EXPLORE = 200
"""Number of combinations of several controls at random steps."""


def values_to_explore(controls: tuple[Control, ...]) -> Iterator[ControlValues]:
    """The values to explore: of each control alone, then of several controls at random.

    Each has only the controls that a reader sets; :func:`with_followers` adds the others.
    """
    for control in controls:
        interval = max(len(control.steps) // STEPS_TO_EXPLORE, 1)
        steps = [*control.steps[::interval], control.steps[-1]]
        if control.key and control.value < control.most:
            steps.append(control.value + 1)
        for step in steps:
            yield {control.name: step}
    if len(controls) < 2:  # noqa: PLR2004
        return
    generator = random.Random(0)  # noqa: S311 - the same for each build
    for _number in range(RANDOM_TO_EXPLORE):
        several = generator.sample(controls, generator.randint(2, len(controls)))
        yield {control.name: generator.choice(control.steps) for control in several}


def with_followers(
    trace: Trace, controls: tuple[Control, ...], set_values: ControlValues
) -> ControlValues:
    """The values of all controls, if a reader sets some of them and others follow these."""
    values = {each.name: set_values.get(each.name, each.value) for each in controls}
    followers = {each.name: each.follows for each in controls if each.follows is not None}
    last = max(followers.values(), default=-1)  # later expressions are not needed
    numbers = evaluate(trace.nodes[: last + 1], values)
    for name, node in followers.items():
        if name not in set_values and numbers[node]:
            values[name] = int(numbers[node] or 0)
    return values
