"""Arrangement of attention and feed-forward in a layer: in parallel, or one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sphinx_llmsize.architecture.stages import Block, Parallel, Residual, Stage, Step, stages_of
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.text_pairs import NO_TEXTS, Models, Texts

SEQUENCE, FEED_FORWARD = Aspect.SEQUENCE, Aspect.FEED_FORWARD
IN_PARALLEL = N_("in parallel")
IN_SEQUENCE = N_("one after the other")


def different_arrangements(models: Models) -> Texts:
    """``in parallel`` and ``one after the other``.

    Both are empty for models with the same arrangement, and if one has no feed-forward network.
    """
    before, after = (_arrangement(model) for model in models)
    return (before, after) if before and after and before != after else NO_TEXTS


def _arrangement(model: Model) -> str:
    """The arrangement in words; empty for a model without attention or without feed-forward."""
    blocks = [stack.block for stack in model.architecture.stacks()]
    if any(any(parallel_feed_forward(block)) for block in blocks):
        return _(IN_PARALLEL)
    has_both = all(any(_has(b, aspect) for b in blocks) for aspect in (SEQUENCE, FEED_FORWARD))
    return _(IN_SEQUENCE) if has_both else ""


def has_parallel_blocks(steps: Iterable[Step]) -> bool:
    """True if one of the steps has only attention in one branch and only the FFN in another one."""
    return any(
        isinstance(step, Parallel) and bool(_feed_forward_beside_attention(step)) for step in steps
    )


def parallel_feed_forward(steps: Iterable[Step]) -> Iterator[Stage]:
    """The stages of feed-forward networks in parallel with attention, inside residuals too."""
    for step in steps:
        if isinstance(step, Residual):
            yield from parallel_feed_forward(step.steps)
        elif isinstance(step, Parallel):
            for branch in _feed_forward_beside_attention(step):
                yield from (s for s in stages_of(branch) if s.group in FEED_FORWARD.value)


def _feed_forward_beside_attention(step: Parallel) -> list[Block]:
    """The branches with only a feed-forward network, if another one has only attention."""
    feed_forward = [branch for branch in step.branches if not _has(branch, SEQUENCE)]
    attention = [branch for branch in step.branches if not _has(branch, FEED_FORWARD)]
    if any(_has(branch, SEQUENCE) for branch in attention):
        return [branch for branch in feed_forward if _has(branch, FEED_FORWARD)]
    return []


def _has(block: Block, aspect: Aspect) -> bool:
    """True if a stage of the block belongs to this part of the architecture."""
    return any(stage.group in aspect.value for stage in stages_of(block))
