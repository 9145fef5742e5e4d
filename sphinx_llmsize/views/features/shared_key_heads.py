"""Sentences on key/value heads that query heads share, and on what they save of the KV cache.

Each function returns an empty text for a model without such heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sphinx_llmsize.architecture.attention_heads import key_value_heads
from sphinx_llmsize.architecture.cost import elements_added_per_token
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.symbols import H
from sphinx_llmsize.formats import factor_text
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.in_words.attention_in_words import (
    AttentionKind,
    kind_of_attention,
    stages_by_kv_heads,
)
from sphinx_llmsize.views.memory.kv_cache import CachedPart, separate_parts, with_keys_and_values
from sphinx_llmsize.views.numbers.byte_measures import has_kv_cache


def grouped_queries(model: Model) -> str:
    """Sentence on grouped-query attention, and on how much it saves."""
    attention = tuple(model.architecture.placed_stages(Group.ATTENTION))
    if not attention or kind_of_attention(model, attention) is not AttentionKind.GROUPED_QUERY:
        return ""
    heads, factor = _heads(model, attention), share_of_multi_head_cache(model)
    if not heads and not factor:
        return _("Grouped-query attention: several query heads share a key/value head.")
    if not heads:
        return _(
            "Grouped-query attention: several query heads share a key/value head, so the KV cache "
            "is {factor} as large as with multi-head attention.",
            factor=_factor_text(factor),
        )
    query_heads, shared = heads
    if not factor:
        return _(
            "Grouped-query attention: {heads} query heads share {shared} key/value heads.",
            heads=query_heads,
            shared=shared,
        )
    return _(
        "Grouped-query attention: {heads} query heads share {shared} key/value heads, so the KV "
        "cache is {factor} as large as with multi-head attention.",
        heads=query_heads,
        shared=shared,
        factor=_factor_text(factor),
    )


def one_key_head(model: Model) -> str:
    """Sentence on multi-query attention, and on how much it saves."""
    attention = tuple(model.architecture.placed_stages(Group.ATTENTION))
    heads, factor = _heads(model, attention), share_of_multi_head_cache(model)
    if not heads or not factor or heads[1] != 1 or heads[0] == 1:
        return ""
    return _(
        "Multi-query attention: all {heads} query heads share one key/value head, so the KV cache "
        "is {factor} as large as with multi-head attention.",
        heads=heads[0],
        factor=_factor_text(factor),
    )


def share_of_multi_head_cache(model: Model) -> Fraction:
    """Size of the KV cache, relative to that of the same model with multi-head attention.

    It is 0 without a KV cache, and if it depends on the number of tokens: layers have different
    shares, and windows limit the caches of some.
    """
    architecture, parts = model.architecture, _cached_keys_and_values(model)
    if not parts:
        return Fraction(0)
    if len(shares := {_share(model, part) for part in parts}) == 1:
        return shares.pop()
    if any(part.window for part in parts):
        return Fraction(0)
    cached = sum((part.elements_per_token(architecture) for part in parts), start=Fraction(0))
    multi_head = sum(
        architecture.count(part.layers) * architecture.count(part.mha_elements_per_token)
        for part in parts
    )
    return cached / multi_head


def _cached_keys_and_values(model: Model) -> tuple[CachedPart, ...]:
    """The cached keys and values of each kind of layer; none for a model that doesn't generate."""
    if not has_kv_cache(model):
        return ()
    return with_keys_and_values(separate_parts(model.architecture), model.architecture)


def _share(model: Model, part: CachedPart) -> Fraction:
    """Size of a cached part, relative to that with multi-head attention."""
    architecture = model.architecture
    multi_head = architecture.count(part.mha_elements_per_token)
    return elements_added_per_token(architecture, part.shape) / multi_head


def _heads(model: Model, attention: Sequence[PlacedStage]) -> tuple[int, int] | None:
    """Numbers of query heads and key/value heads; None if they are unknown or layers differ."""
    heads, key_heads = model.config.sizes.get(H), key_value_heads(model.architecture, attention)
    if not heads or not key_heads:
        return None
    shares = {_share(model, part) for part in _cached_keys_and_values(model)}
    numbers = {of_layer.number for of_layer in stages_by_kv_heads(model, attention)}
    if shares - {Fraction(key_heads, heads)} or numbers - {key_heads}:
        return None
    return heads, key_heads


def _factor_text(factor: Fraction) -> str:
    """``half``, ``1/4``: the size of a cache relative to that of another model."""
    return _("half") if factor == Fraction(1, 2) else factor_text(factor)
