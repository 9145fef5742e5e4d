"""Inputs beside the tokens, such as positions and token types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack
from sphinx_llmsize.architecture.stages import Parallel, Source, Stage, Step, stages_of


def with_side_inputs(items: Iterable[Item]) -> tuple[Item, ...]:
    """Put each stage that reads indices, or nothing, in parallel to the steps before it.

    These are the steps since the last stage that reads tokens, or since the last stack. The output
    of a stage that reads indices, such as positions, is added to that of these steps.
    """
    found: list[Item] = []
    steps: list[Step] = []
    for item in items:
        if isinstance(item, (Stack, Interleaved)):
            found += (*steps, item)
            steps = []
            continue
        if next(stages_of((item,))).source is Source.TOKENS:
            found += steps
            steps = []
        if steps and isinstance(item, Stage) and item.source in {Source.INDICES, Source.NONE}:
            steps = [_beside(steps, item)]
        else:
            steps.append(item)
    return (*found, *steps)


def _beside(steps: list[Step], stage: Stage) -> Parallel:
    """The steps in parallel to a stage; if they are a sum, it gets one more summand."""
    is_sum = stage.source is Source.INDICES
    first = steps[0]
    if is_sum and len(steps) == 1 and isinstance(first, Parallel) and first.is_sum:
        return replace(first, branches=(*first.branches, (stage,)))
    return Parallel((tuple(steps), (stage,)), is_sum=is_sum)
