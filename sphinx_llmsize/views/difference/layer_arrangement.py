"""Arrangement of a layer: blocks in parallel or one after the other, and the places of norms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import dropwhile

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
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.difference.pairs import DescriptionPair, Models, if_different
from sphinx_llmsize.views.in_words.description import Description, named
from sphinx_llmsize.views.shared.wording import listed_text

SEQUENCE, FEED_FORWARD = Aspect.SEQUENCE, Aspect.FEED_FORWARD
IN_PARALLEL = N_("in parallel")
IN_SEQUENCE = N_("one after the other")


def different_arrangements(models: Models) -> DescriptionPair:
    """``in parallel`` and ``one after the other``.

    No descriptions for models with the same arrangement, or if one has no attention or no
    feed-forward network.
    """
    return if_different(*map(_arrangement, models))


def _arrangement(model: Model) -> Description | None:
    """The arrangement in words; None for a model without attention or without feed-forward."""
    blocks = [stack.block for stack in model.architecture.stacks()]
    if any(any(parallel_feed_forward(block)) for block in blocks):
        return named(IN_PARALLEL)
    has_both = all(any(_has(b, aspect) for b in blocks) for aspect in (SEQUENCE, FEED_FORWARD))
    return named(IN_SEQUENCE) if has_both else None


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


class NormPlace(Enum):
    """Place of a norm beside a residual connection.

    Attributes:
        label: description, translated where it is shown; empty if the kind of norm names the place.
    """

    BEFORE = N_("before each block")
    BEFORE_PARALLEL = N_("before attention and FFN in parallel")
    BEFORE_AND_AFTER = ""
    ON_OUTPUT = N_("on the output of each block")
    AFTER_SUM = N_("after each residual connection")
    BEFORE_RESIDUAL = N_("before each residual connection")

    def __init__(self, label: str) -> None:
        self.label = label


def different_placements(models: Models) -> DescriptionPair:
    """Places of the norms of both models; none if they are the same, or not known.

    The text is empty for norms before and after each block, since ``describe_norms`` names this
    place itself.
    """
    return if_different(*map(_placement, models))


def _placement(model: Model) -> Description | None:
    """``before each block``; with the number of layers of each place if there are several."""
    places = _norm_places(model)
    if len(places) > 1:
        texts = [
            ngettext("{place} in {n} layer", "{place} in {n} layers", n, place=_(place.label), n=n)
            for place, n in places.items()
        ]
        return Description(tuple(places), frozenset(places.items()), listed_text(texts))
    return next((Description(place, frozenset(), _(place.label)) for place in places), None)


def _norm_places(model: Model) -> dict[NormPlace, int]:
    """Places of the norms in a layer, with the number of layers that have each.

    Empty if a layer has norms in several places, or if only some layers have norms before and after
    each block.
    """
    layers: dict[NormPlace, int] = {}
    for stack in model.architecture.stacks():
        places = set(_places_in(stack.block))
        if len(places) > 1:
            return {}
        for place in places:
            layers[place] = layers.get(place, 0) + model.architecture.count(stack.uses)
    return {} if len(layers) > 1 and NormPlace.BEFORE_AND_AFTER in layers else layers


def _places_in(block: Block) -> Iterator[NormPlace]:
    """The places of norms around each residual connection of a layer."""
    for position, step in enumerate(block):
        if isinstance(step, Parallel):
            yield from _places_in_branches(step)
        if not isinstance(step, Residual):
            continue
        steps = tuple(dropwhile(_is_residual, step.steps))  # first ones add to the input (Zamba2)
        steps = tuple(each for each in steps if not _is_of_group(each, Group.RESIDUAL))
        if any(map(_is_residual, steps)):
            yield from _places_in(steps)
        elif steps:
            has_norm_before = _is_of_group(block[0], Group.NORMS)
            following = block[position + 1 : position + 2]  # one step, or none after the last
            has_norm_after = any(_is_of_group(each, Group.NORMS) for each in following)
            place = _place(steps, has_norm_before=has_norm_before, has_norm_after=has_norm_after)
            if place:
                yield place


def _places_in_branches(step: Parallel) -> Iterator[NormPlace]:
    """Places in branches outside residual connections: a layer beside experts (Arctic)."""
    for branch in step.branches:
        if any(map(_is_residual, branch)):
            yield from _places_in(branch)
        elif branch and _begins_with_norm(branch):
            yield NormPlace.BEFORE


def _place(steps: Block, *, has_norm_before: bool, has_norm_after: bool) -> NormPlace | None:
    """The place of the norms of one residual connection; None if it has none.

    Args:
        steps: the steps of the connection.
        has_norm_before: the layer begins with a norm, whose output the connection adds.
        has_norm_after: a norm follows the connection.
    """
    before, after = _begins_with_norm(steps), _is_of_group(steps[-1], Group.NORMS)
    if before and after:
        return NormPlace.BEFORE_AND_AFTER
    if before:
        is_parallel = any(parallel_feed_forward(steps))
        return NormPlace.BEFORE_PARALLEL if is_parallel else NormPlace.BEFORE
    if after:
        return NormPlace.ON_OUTPUT
    if has_norm_before:
        return NormPlace.BEFORE_RESIDUAL
    # a first layer may have no norm, since the embeddings have one
    return NormPlace.AFTER_SUM if has_norm_after else None


def _begins_with_norm(steps: Sequence[Step]) -> bool:
    """True if the first step is a norm, or every branch begins with one."""
    first = steps[0]
    if isinstance(first, Parallel):
        return all(branch and _begins_with_norm(branch) for branch in first.branches)
    return _is_of_group(first, Group.NORMS)


def _is_residual(step: Step) -> bool:
    return isinstance(step, Residual)


def _is_of_group(step: Step, group: Group) -> bool:
    return isinstance(step, Stage) and step.group is group
