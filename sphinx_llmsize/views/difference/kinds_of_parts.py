"""Kinds of parts of two models in words, and whether they differ."""

from __future__ import annotations

from sphinx_llmsize.config.symbols import H_KV
from sphinx_llmsize.differences.difference import Difference
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.views.difference.layer_arrangement import different_placements
from sphinx_llmsize.views.difference.masks_and_positions import (
    different_windows,
    masks_or_positions_differ,
)
from sphinx_llmsize.views.difference.pairs import NO_DIFFERENCE, DescriptionPair, Models
from sphinx_llmsize.views.in_words.description import Description
from sphinx_llmsize.views.in_words.part_components import PlacedStages, has_biases
from sphinx_llmsize.views.in_words.parts_in_words import (
    biases_of_part,
    describe_part,
    describe_part_with_biases,
    placed_stages_of_part,
)
from sphinx_llmsize.views.in_words.windows_in_words import window_shares

Kinds = tuple[Description, Description]
"""Descriptions of a part of two models."""


def is_described_differently(difference: Difference, change: StructureChange) -> bool:
    """True for a part with another name at the same sizes, or with other windows or norms.

    True also for attention with other masks or positions.
    """
    windows = windows_at_own_sizes(change.models, difference.models, change.aspect)
    is_attention = change.aspect is Aspect.SEQUENCE
    return (
        differ_in_kind(change)
        or any(windows)
        or norms_differ(difference, change)
        or (is_attention and masks_or_positions_differ(difference.models))
    )


def differ_in_kind(change: StructureChange) -> bool:
    """True if the part before and the part after have different names at the same sizes."""
    before, after = kinds_of(change.models, change.aspect)
    return before != after


def norms_differ(difference: Difference, change: StructureChange) -> bool:
    """True for norms of another kind or in other places, not only for more or fewer of them."""
    if change.aspect is not Aspect.NORMS:
        return False
    before, after = kinds_of(difference.models, change.aspect)
    return before.about != after.about or any(different_placements(difference.models))


def blocks_differ(difference: Difference, change: StructureChange) -> bool:
    """True for attention, mixers or feed-forward networks of another kind.

    Other numbers, and a kind that only follows from a changed size, don't count.
    """
    if change.aspect not in (Aspect.SEQUENCE, Aspect.FEED_FORWARD):
        return False
    before, after = kinds_of(difference.models, change.aspect)
    return before.about != after.about and differ_in_kind(change)


def windows_at_own_sizes(same_sizes: Models, own_sizes: Models, aspect: Aspect) -> DescriptionPair:
    """Attention windows of both models; none if they differ only because the sizes do.

    They also differ if the same windows belong to another share of the layers.

    Args:
        same_sizes: the models, the second one with the sizes of the first.
        own_sizes: the models with their own sizes, whose windows are described.
        aspect: the part of the models.
    """
    pair = different_windows(own_sizes, parts_of(own_sizes, aspect))
    if any(different_windows(same_sizes, parts_of(same_sizes, aspect))):
        return pair
    part, part_of_other = parts_of(own_sizes, aspect)
    shares = window_shares(own_sizes[0], part)
    shares_of_other = window_shares(own_sizes[1], part_of_other)
    has_same_windows = shares.keys() == shares_of_other.keys()
    return pair if has_same_windows and shares != shares_of_other else NO_DIFFERENCE


def has_row_of_heads(difference: Difference, change: StructureChange) -> bool:
    """True for attention whose kind follows from a number of heads that has a row of its own.

    An example is grouped-query attention with 8 key/value heads in place of 32.
    """
    if change.aspect is not Aspect.SEQUENCE:
        return False
    before, after = kinds_of(difference.models, change.aspect)
    return before != after and any(each.key.symbol == H_KV for each in difference.key_changes)


def kinds_of(models: Models, aspect: Aspect) -> Kinds:
    """The part of both models in a few words: ``FFN``, ``8 experts (2 active)``."""
    one, other = models
    return describe_part(one, aspect), describe_part(other, aspect)


def with_biases_if_they_differ(models: Models, same_sizes: Models, aspect: Aspect) -> Kinds:
    """The part of both models, with biases if other matrices have them.

    Args:
        models: the models to describe.
        same_sizes: models whose biases are compared; between them, a flag that changes biases and
            has a row of its own is the same.
        aspect: the part.
    """
    if not have_different_biases(same_sizes, aspect):
        return kinds_of(models, aspect)
    one, other = models
    return describe_part_with_biases(one, aspect), describe_part_with_biases(other, aspect)


def have_different_biases(models: Models, aspect: Aspect) -> bool:
    """True if other matrices of a part have biases.

    False if both models have biases, but those of one aren't described.
    """
    biases = [biases_of_part(model, aspect) for model in models]
    both_have_biases = all(map(has_biases, parts_of(models, aspect)))
    return biases[0] != biases[1] and (all(biases) or not both_have_biases)


def parts_of(models: Models, aspect: Aspect) -> tuple[PlacedStages, PlacedStages]:
    """The stages of a part of both models."""
    one, other = models
    return placed_stages_of_part(one, aspect), placed_stages_of_part(other, aspect)
