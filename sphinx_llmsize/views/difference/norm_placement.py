"""Places of norms in a layer, by its residual connections: before attention, or after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sphinx_llmsize.architecture.stages import (
    Block,
    Group,
    Parallel,
    Residual,
    Stage,
    Step,
    stages_of,
)
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _

BEFORE = N_("before each block")
BEFORE_PARALLEL = N_("before attention and feed-forward in parallel")
BEFORE_AND_AFTER = "before and after each block"  # the words on these norms say it anyway
ON_OUTPUT = N_("on the output of each block")
AFTER_SUM = N_("after each residual connection")

SEQUENCE = frozenset(Aspect.SEQUENCE.value)
FEED_FORWARD = frozenset(Aspect.FEED_FORWARD.value)


def other_placements(one: Model, other: Model) -> tuple[str, str] | None:
    """Places of the norms of both models; None if they are the same, or unusual.

    Places that the words on norms name anyway, before and after each block, are empty.
    """
    before, after = norm_placement(one), norm_placement(other)
    if not before or not after or before == after:
        return None
    one_text, other_text = (
        "" if place == BEFORE_AND_AFTER else _(place) for place in (before, after)
    )
    return one_text, other_text


def norm_placement(model: Model) -> str:
    """Place of the norms in all layers, untranslated; empty if layers differ or it is unusual."""
    blocks = (stack.block for stack in model.architecture.stacks())
    found = {place for block in blocks for place in _placements(block)}
    return found.pop() if len(found) == 1 else ""


def _placements(block: Block) -> Iterator[str]:
    """The places of norms around each residual connection of a layer."""
    for step, following in zip(block, (*block[1:], None), strict=True):
        if not isinstance(step, Residual):
            continue
        steps = [each for each in step.steps if not _is_of_group(each, Group.RESIDUAL)]
        if not steps:
            continue
        before, after = _begins_with_norm(steps), _is_of_group(steps[-1], Group.NORMS)
        if before and after:
            yield BEFORE_AND_AFTER
        elif before:
            yield BEFORE_PARALLEL if _has_parallel_blocks(steps) else BEFORE
        elif after:
            yield ON_OUTPUT
        else:
            is_before_residual = _is_of_group(block[0], Group.NORMS)
            is_after = following is not None and _is_of_group(following, Group.NORMS)
            # a first layer may have no norm before its attention, since the embeddings have one
            if is_after or is_before_residual:
                yield "" if is_before_residual else AFTER_SUM


def _begins_with_norm(steps: Sequence[Step]) -> bool:
    """True if the first step is a norm, or every branch begins with one."""
    first = steps[0]
    if isinstance(first, Parallel):
        return all(branch and _begins_with_norm(branch) for branch in first.branches)
    return _is_of_group(first, Group.NORMS)


def _is_of_group(step: Step, group: Group) -> bool:
    return isinstance(step, Stage) and step.group is group


def _has_parallel_blocks(steps: Sequence[Step]) -> bool:
    """True if attention is in one branch and the feed-forward network in another one."""
    return any(
        any(_has(branch, SEQUENCE) and not _has(branch, FEED_FORWARD) for branch in step.branches)
        and any(_has(branch, FEED_FORWARD) for branch in step.branches)
        for step in steps
        if isinstance(step, Parallel)
    )


def _has(branch: Block, groups: frozenset[Group]) -> bool:
    return any(stage.group in groups for stage in stages_of(branch))
