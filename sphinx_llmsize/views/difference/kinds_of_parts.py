"""Kinds of parts of two models in words, and whether they differ."""

from __future__ import annotations

import re
from collections.abc import Callable

from sphinx_llmsize.config.symbols import H_KV
from sphinx_llmsize.differences.difference import Difference
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.difference.norm_placement import different_placements
from sphinx_llmsize.views.difference.order_of_tokens import (
    different_masks,
    different_positions,
    different_windows,
)
from sphinx_llmsize.views.difference.text_pairs import Models, Texts
from sphinx_llmsize.views.in_words.part_components import has_biases
from sphinx_llmsize.views.in_words.parts_in_words import (
    part_in_words,
    part_with_biases,
    placed_stages_of_part,
)
from sphinx_llmsize.views.in_words.windows_in_words import window_shares


def differ_in_kind(change: StructureChange) -> bool:
    """True if the part before and the part after have different names at the same sizes."""
    before, after = kinds_in_words((change.before, change.after), change.aspect)
    return before != after


def norms_differ(difference: Difference, change: StructureChange) -> bool:
    """True for norms of another kind or in other places, not only for more or fewer of them."""
    models = (difference.one, difference.other)
    if change.aspect is not Aspect.NORMS:
        return False
    before, after = without_numbers(kinds_in_words(models, change.aspect))
    return before != after or different_placements(*models) is not None


def windows_differ(difference: Difference, change: StructureChange) -> bool:
    """True if other layers have attention windows, whatever the sizes."""
    same_sizes, own_sizes = (change.before, change.after), (difference.one, difference.other)
    return any(windows_at_own_sizes(same_sizes, own_sizes, change.aspect))


def windows_at_own_sizes(same_sizes: Models, own_sizes: Models, aspect: Aspect) -> Texts:
    """Attention windows of both models; empty if they differ only since the sizes do.

    They also differ if another share of the layers has the same windows.
    """
    at_same, at_own = (
        different_windows(models, [placed_stages_of_part(model, aspect) for model in models])
        for models in (same_sizes, own_sizes)
    )
    shares = [window_shares(model, placed_stages_of_part(model, aspect)) for model in own_sizes]
    tokens, tokens_of_other = (set(each) for each in shares)
    has_other_layers = tokens == tokens_of_other and shares[0] != shares[1]
    return at_own if any(at_same) or has_other_layers else ("", "")


def has_row_of_heads(difference: Difference, change: StructureChange) -> bool:
    """True for attention whose kind follows from a number of heads that has a row of its own.

    An example is grouped-query attention with 8 key/value heads in place of 32.
    """
    keys = (each for size in difference.sizes for each in size.keys)
    kinds = kinds_in_words((difference.one, difference.other), change.aspect)
    return (
        change.aspect is Aspect.SEQUENCE
        and kinds[0] != kinds[1]
        and any(each.key.symbol == H_KV for each in keys)
    )


def order_differs(difference: Difference, change: StructureChange) -> bool:
    """True for attention with another kind of positions, or causal instead of bidirectional."""
    models = (difference.one, difference.other)
    texts = (*different_masks(*models), *different_positions(*models))
    return change.aspect is Aspect.SEQUENCE and any(texts)


def kinds_in_words(models: Models, aspect: Aspect) -> Texts:
    """The part of both models in a few words: ``FFN``, ``8 experts (2 active)``."""
    return _described(part_in_words, models, aspect)


def _described(describe: Callable[[Model, Aspect], str], models: Models, aspect: Aspect) -> Texts:
    """The part of both models, as a function describes it."""
    one, other = models
    return describe(one, aspect), describe(other, aspect)


def with_biases_if_they_differ(models: Models, aspect: Aspect) -> Texts:
    """The part of both models, with biases if only one of them has some."""
    before, after = (has_biases(placed_stages_of_part(model, aspect)) for model in models)
    return _described(part_in_words if before == after else part_with_biases, models, aspect)


def without_numbers(texts: Texts) -> Texts:
    """The texts without digits: ``57 norms`` are no other part than ``53 norms``."""
    before, after = (re.sub("[0-9,]", "", text) for text in texts)
    return before, after
