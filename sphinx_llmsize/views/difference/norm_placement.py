"""Places of norms in a layer, by its residual connections: before attention, or after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from sphinx_llmsize.views.shared.wording import listed_text

BEFORE = N_("before each block")
BEFORE_PARALLEL = N_("before attention and FFN in parallel")
BEFORE_AND_AFTER = "before and after each block"  # the words on these norms say it anyway
ON_OUTPUT = N_("on the output of each block")
AFTER_SUM = N_("after each residual connection")
BEFORE_RESIDUAL = N_("before each residual connection")

SEQUENCE = frozenset(Aspect.SEQUENCE.value)
FEED_FORWARD = frozenset(Aspect.FEED_FORWARD.value)


def different_placements(one: Model, other: Model) -> tuple[str, str] | None:
    """Places of the norms of both models; None if they are the same, or unusual.

    Places that the words on norms name anyway, before and after each block, are empty.
    """
    before, after = norm_places(one), norm_places(other)
    texts = _in_words(before), _in_words(after)
    if not before or not after or (before.keys() == after.keys() and texts[0] == texts[1]):
        return None
    return texts


def norm_places(model: Model) -> dict[str, int]:
    """Places of the norms in a layer, untranslated, with the number of layers that have each.

    Empty if one is unusual, or if a layer has norms in several places.
    """
    layers: dict[str, int] = {}
    for stack in model.architecture.stacks():
        found = set(_places_in(stack.block))
        if "" in found or len(found) > 1:
            return {}
        for place in found:
            layers[place] = layers.get(place, 0) + model.architecture.count(stack.uses)
    return {} if len(layers) > 1 and BEFORE_AND_AFTER in layers else layers


def _in_words(places: dict[str, int]) -> str:
    """``before each block``; with numbers of layers if these differ."""
    if len(places) == 1:
        (place,) = places
        return "" if place == BEFORE_AND_AFTER else _(place)
    return listed_text(
        [
            ngettext("{place} in {n} layer", "{place} in {n} layers", n, place=_(place), n=n)
            for place, n in places.items()
        ]
    )


def _places_in(block: Block) -> Iterator[str]:
    """The places of norms around each residual connection of a layer."""
    for step, following in zip(block, (*block[1:], None), strict=True):
        if isinstance(step, Parallel):
            yield from _places_in_branches(step)
        if not isinstance(step, Residual):
            continue
        steps = tuple(dropwhile(_is_residual, step.steps))  # first ones add to the input (Zamba2)
        steps = tuple(each for each in steps if not _is_of_group(each, Group.RESIDUAL))
        if any(map(_is_residual, steps)):
            yield from _places_in(steps)
        elif steps:
            is_before_residual = _is_of_group(block[0], Group.NORMS)
            is_after = following is not None and _is_of_group(following, Group.NORMS)
            yield from _place(steps, before_residual=is_before_residual, after_sum=is_after)


def _places_in_branches(step: Parallel) -> Iterator[str]:
    """Places in branches outside residual connections: a layer beside experts (Arctic)."""
    for branch in step.branches:
        if any(map(_is_residual, branch)):
            yield from _places_in(branch)
        elif branch and _begins_with_norm(branch):
            yield BEFORE


def _place(steps: Block, *, before_residual: bool, after_sum: bool) -> Iterator[str]:
    """The place of the norms of one residual connection, if it has any.

    Args:
        steps: the steps of the connection.
        before_residual: a norm is before the connection, so that its output is added.
        after_sum: a norm follows the connection.
    """
    before, after = _begins_with_norm(steps), _is_of_group(steps[-1], Group.NORMS)
    if before and after:
        yield BEFORE_AND_AFTER
    elif before:
        yield BEFORE_PARALLEL if _has_parallel_blocks(steps) else BEFORE
    elif after:
        yield ON_OUTPUT
    elif before_residual:
        yield BEFORE_RESIDUAL
    elif after_sum:  # a first layer may have no norm, since the embeddings have one
        yield AFTER_SUM


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
