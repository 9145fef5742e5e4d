"""Sums of embeddings: vectors of tokens, plus those of positions, token types and the like."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack, places_of
from sphinx_llmsize.architecture.stages import Parallel, Source, Stage, Step


def with_sums(items: Iterable[Item]) -> tuple[Item, ...]:
    """Add the output of each stage that reads indices to the output of the steps before it.

    These steps begin with the stage that reads the tokens, and are the first branch of the sum.
    """
    found: list[Item] = []
    steps: list[Step] = []  # since the tokens or the last stack
    for item in items:
        is_stack = isinstance(item, (Stack, Interleaved))
        if is_stack or next(places_of((item,))).stage.source is Source.TOKENS:
            found += steps
            steps = []
        if isinstance(item, (Stack, Interleaved)):
            found.append(item)
        elif steps and isinstance(item, Stage) and item.source is Source.INDICES:
            steps = [_sum(steps, item)]
        else:
            steps.append(item)
    return (*found, *steps)


def _sum(steps: list[Step], stage: Stage) -> Parallel:
    """The sum of the output of some steps and of a stage; a sum gets one more branch."""
    (last, *others) = reversed(steps)
    if not others and isinstance(last, Parallel) and last.is_sum:
        return replace(last, branches=(*last.branches, (stage,)))
    return Parallel((tuple(steps), (stage,)), is_sum=True)
