"""Inputs beside the tokens, such as positions and token types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack, places_of
from sphinx_llmsize.architecture.stages import Parallel, Source, Stage, Step


def with_side_inputs(items: Iterable[Item]) -> tuple[Item, ...]:
    """Put each stage that reads no other step in parallel to the steps before it.

    These steps begin with the stage that reads the tokens. The output of a stage that reads indices
    is added to theirs.
    """
    found: list[Item] = []
    steps: list[Step] = []  # since the tokens or the last stack
    for item in items:
        if isinstance(item, (Stack, Interleaved)):
            found += (*steps, item)
            steps = []
            continue
        if next(places_of((item,))).stage.source is Source.TOKENS:
            found += steps
            steps = []
        if steps and isinstance(item, Stage) and item.source in {Source.INDICES, Source.NONE}:
            steps = [_beside(steps, item)]
        else:
            steps.append(item)
    return (*found, *steps)


def _beside(steps: list[Step], stage: Stage) -> Parallel:
    """The steps in parallel to a stage; a sum gets one more branch."""
    (last, *others) = reversed(steps)
    is_sum = stage.source is Source.INDICES
    if is_sum and not others and isinstance(last, Parallel) and last.is_sum:
        return replace(last, branches=(*last.branches, (stage,)))
    return Parallel((tuple(steps), (stage,)), is_sum=is_sum)
