"""Kinds of parts of two models in words, and whether they differ."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sphinx_llmsize.config.symbols import H_KV
from sphinx_llmsize.differences.difference import Difference
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.translation import current_separators
from sphinx_llmsize.views.difference.layer_arrangement import different_placements
from sphinx_llmsize.views.difference.order_of_tokens import different_windows, order_differs
from sphinx_llmsize.views.difference.text_pairs import NO_TEXTS, Models, Texts
from sphinx_llmsize.views.in_words.part_components import PlacedStages, has_biases
from sphinx_llmsize.views.in_words.parts_in_words import (
    part_in_words,
    part_with_biases,
    placed_stages_of_part,
)
from sphinx_llmsize.views.in_words.windows_in_words import window_shares


def is_described_differently(difference: Difference, change: StructureChange) -> bool:
    """True for a part with another name at the same sizes, or with other windows, norms or order.

    Order: the positions of tokens, and which tokens each one sees.
    """
    windows = windows_at_own_sizes(change.models, difference.models, change.aspect)
    is_attention = change.aspect is Aspect.SEQUENCE
    return (
        differ_in_kind(change)
        or any(windows)
        or norms_differ(difference, change)
        or (is_attention and order_differs(difference.models))
    )


def differ_in_kind(change: StructureChange) -> bool:
    """True if the part before and the part after have different names at the same sizes."""
    before, after = kinds_in_words(change.models, change.aspect)
    return before != after


def norms_differ(difference: Difference, change: StructureChange) -> bool:
    """True for norms of another kind or in other places, not only for more or fewer of them."""
    if change.aspect is not Aspect.NORMS:
        return False
    before, after = without_numbers(kinds_in_words(difference.models, change.aspect))
    return before != after or different_placements(difference.models) is not None


def windows_at_own_sizes(same_sizes: Models, own_sizes: Models, aspect: Aspect) -> Texts:
    """Attention windows of both models; empty if they differ only because the sizes do.

    They also differ if the same windows belong to another share of the layers.

    Args:
        same_sizes: the models, the second one with the sizes of the first.
        own_sizes: the models with their own sizes, whose windows are described.
        aspect: the part of the models.
    """
    texts = different_windows(own_sizes, parts_of(own_sizes, aspect))
    if any(different_windows(same_sizes, parts_of(same_sizes, aspect))):
        return texts
    part, part_of_other = parts_of(own_sizes, aspect)
    shares = window_shares(own_sizes[0], part)
    shares_of_other = window_shares(own_sizes[1], part_of_other)
    has_same_windows = shares.keys() == shares_of_other.keys()
    return texts if has_same_windows and shares != shares_of_other else NO_TEXTS


def has_row_of_heads(difference: Difference, change: StructureChange) -> bool:
    """True for attention whose kind follows from a number of heads that has a row of its own.

    An example is grouped-query attention with 8 key/value heads in place of 32.
    """
    if change.aspect is not Aspect.SEQUENCE:
        return False
    before, after = kinds_in_words(difference.models, change.aspect)
    key_changes = (each for row in difference.config_changes for each in row.key_changes)
    return before != after and any(each.key.symbol == H_KV for each in key_changes)


def kinds_in_words(models: Models, aspect: Aspect) -> Texts:
    """The part of both models in a few words: ``FFN``, ``8 experts (2 active)``."""
    one, other = models
    return part_in_words(one, aspect), part_in_words(other, aspect)


def with_biases_if_they_differ(models: Models, aspect: Aspect) -> Texts:
    """The part of both models, with biases if only one of them has some."""
    one, other = models
    part, part_of_other = parts_of(models, aspect)
    if has_biases(part) == has_biases(part_of_other):
        return kinds_in_words(models, aspect)
    return part_with_biases(one, aspect), part_with_biases(other, aspect)


def parts_of(models: Models, aspect: Aspect) -> tuple[PlacedStages, PlacedStages]:
    """The stages of a part of both models."""
    one, other = models
    return placed_stages_of_part(one, aspect), placed_stages_of_part(other, aspect)


def without_numbers(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts without digits, so that ``57 norms`` and ``53 norms`` count as the same part.

    The separators between digits go with them. English, too, has commas between words.
    """
    separators = current_separators()
    marks = re.escape(f",{separators.group}{separators.decimal}")
    return tuple(re.sub(rf"[0-9]+([{marks}][0-9]+)*|,", "", text) for text in texts)
