"""Inputs beside the tokens, such as positions and token types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack
from sphinx_llmsize.architecture.stages import Parallel, Source, Stage, Step, stages_of


def with_side_inputs(items: Iterable[Item]) -> tuple[Item, ...]:
    """Put each stage with a side input in parallel to the steps before it.

    A stage with a side input reads indices, such as positions, or nothing. The steps before it are
    those after the last stack, beginning with the last stage that reads tokens. If the stage reads
    indices, the outputs are added.
    """
    result: list[Item] = []
    steps: list[Step] = []
    for item in items:
        if isinstance(item, (Stack, Interleaved)):
            result += (*steps, item)
            steps = []
            continue
        if _reads_tokens(item):
            result += steps
            steps = []
        if steps and isinstance(item, Stage) and item.source in {Source.INDICES, Source.NONE}:
            steps = [_beside(steps, item)]
        else:
            steps.append(item)
    return (*result, *steps)


def _reads_tokens(step: Step) -> bool:
    """True if the first stage of a step reads token ids."""
    first = next(stages_of((step,)))
    return first.source is Source.TOKENS


def _beside(steps: list[Step], stage: Stage) -> Parallel:
    """The steps in parallel to a stage; if they are a sum already, the stage is added to it."""
    is_sum = stage.source is Source.INDICES
    first = steps[0]
    if is_sum and len(steps) == 1 and isinstance(first, Parallel) and first.is_sum:
        return replace(first, branches=(*first.branches, (stage,)))
    return Parallel((tuple(steps), (stage,)), is_sum=is_sum)
