"""Sentences, with numbers, on parts that save parameters or memory, or need much of them.

Each function returns an empty text for a model without the part.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sphinx_llmsize.algebra import product
from sphinx_llmsize.architecture.attention_heads import key_value_heads
from sphinx_llmsize.architecture.cost import elements_added_per_token
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.symbols import H, V
from sphinx_llmsize.formats import factor_text, percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.in_words.attention_in_words import (
    AttentionKind,
    kind_of_attention,
)
from sphinx_llmsize.views.in_words.part_components import layers_with, tensors_of
from sphinx_llmsize.views.in_words.windows_in_words import Window, layers_by_window
from sphinx_llmsize.views.naming.conventions import untied_total
from sphinx_llmsize.views.numbers.byte_measures import has_kv_cache
from sphinx_llmsize.views.shared.latents import caches_latents
from sphinx_llmsize.views.shared.wording import listed_text

LARGE_SHARE = Fraction(1, 4)
"""Share of embeddings and head from which a vocabulary counts as large."""


def latent_attention(model: Model) -> str:
    """Sentence on the cached latents of multi-head latent attention; empty for other models.

    It is also empty if layers differ, in their number of heads or in the size of their cache.
    """
    attention = model.architecture.placed_stages(Group.ATTENTION)
    stages = [placed.stage for placed in attention if caches_latents([placed.stage])]
    elements = {
        sum(elements_added_per_token(model.architecture, shape) for shape in stage.caches)
        for stage in stages
    }
    heads = model.config.sizes.get(H)
    if len(elements) != 1 or not heads:
        return ""
    return _(
        "Multi-head latent attention: for each token, a layer caches latents of {elements} "
        "elements, which all {heads} heads share.",
        elements=factor_text(Fraction(elements.pop())),
        heads=heads,
    )


def grouped_queries(model: Model) -> str:
    """Sentence on how much grouped-query attention saves; empty for other models."""
    attention = list(model.architecture.placed_stages(Group.ATTENTION))
    if not attention or kind_of_attention(model, attention) is not AttentionKind.GROUPED_QUERY:
        return ""
    heads, key_heads = model.config.sizes.get(H), key_value_heads(model.architecture, attention)
    if heads and key_heads and not has_kv_cache(model):
        return _(
            "Grouped-query attention: {heads} query heads share {shared} key/value heads.",
            heads=heads,
            shared=key_heads,
        )
    if not heads or not key_heads:  # layers differ
        return _(
            "Grouped-query attention: several query heads share a key/value head, so the KV cache "
            "is {factor} as large as with multi-head attention.",
            factor=_factor(_share_of_multi_head_cache(model, attention)),
        )
    return _(
        "Grouped-query attention: {heads} query heads share {shared} key/value heads, so the KV "
        "cache is {factor} as large as with multi-head attention.",
        heads=heads,
        shared=key_heads,
        factor=_factor(Fraction(key_heads, heads)),
    )


def one_key_head(model: Model) -> str:
    """Sentence on how much multi-query attention saves; empty for other models."""
    heads, key_heads = _heads(model)
    if key_heads != 1 or heads == 1:
        return ""
    return _(
        "Multi-query attention: all {heads} query heads share one key/value head, so the KV cache "
        "is {factor} as large as with multi-head attention.",
        heads=heads,
        factor=_factor(Fraction(1, heads)),
    )


def windows(model: Model) -> str:
    """Sentence on layers with a sliding window; empty for models without them."""
    stacks = tuple(model.architecture.stacks())
    found = layers_by_window(model, stacks)
    if not found:
        return ""
    layers = layers_with(model, model.architecture.placed_stages())
    if list(found.values()) == [layers]:
        (window,) = found
        return _window_of_all_layers(window)
    texts = [_window_of_layers(window, number) for window, number in found.items()]
    return _(
        "Sliding windows: of {layers} layers, {windows}.",
        layers=layers,
        windows=listed_text(texts),
    )


def _window_of_all_layers(window: Window) -> str:
    """The whole sentence if all layers have the same window."""
    if window.is_two_sided:
        return _(
            "Sliding window: every layer attends to {window} tokens on each side.",
            window=window.tokens,
        )
    return _(
        "Sliding window: every layer attends to the last {window} tokens.", window=window.tokens
    )


def _window_of_layers(window: Window, layers: int) -> str:
    """``21 attend to the last 512 tokens``."""
    if window.is_two_sided:
        return ngettext(
            "{number} attends to {window} tokens on each side",
            "{number} attend to {window} tokens on each side",
            layers,
            number=layers,
            window=window.tokens,
        )
    return ngettext(
        "{number} attends to the last {window} tokens",
        "{number} attend to the last {window} tokens",
        layers,
        number=layers,
        window=window.tokens,
    )


def shared_layers(model: Model) -> str:
    """Sentence on layers that use the same weights; empty for models without them."""
    count = model.architecture.count
    saved = 0
    for placed in model.architecture.placed_stages():
        layers_without_own_weights = count(placed.uses) - count(placed.layers)
        saved += layers_without_own_weights * count(placed.stage.parameters)
    if not saved:
        return ""
    return _(
        "Shared layers: some weights are used by several layers; with weights of their own, these "
        "would have {number} more parameters.",
        number=thousands(saved),
    )


def tied(model: Model) -> str:
    """Sentence on what tied embeddings save; empty for other models."""
    saved = untied_total(model) - model.total
    if not saved:
        return ""
    return _(
        "Tied embeddings: the LM head uses the weights of the token embedding, which saves "
        "{number} parameters.",
        number=thousands(saved),
    )


def large_vocabulary(model: Model) -> str:
    """Sentence on the embeddings and the head if they are a large share; empty for others."""
    outside = model.parameters_in(Group.EMBEDDING)
    for placed in model.architecture.placed_stages(Group.HEAD):
        if placed.stage.depends_on(V):  # no pooler
            outside += model.architecture.count(placed.parameters)
    share = Fraction(outside, model.total)
    if share < LARGE_SHARE:
        return ""
    return _(
        "Large vocabulary: embeddings and head have {number} parameters, {share} of all.",
        number=thousands(outside),
        share=percent(share),
    )


def _factor(factor: Fraction) -> str:
    """``half``, ``1/4``: the size of a cache relative to that of another model."""
    return _("half") if factor == Fraction(1, 2) else factor_text(factor)


def _share_of_multi_head_cache(model: Model, attention: Sequence[PlacedStage]) -> Fraction:
    """Size of the KV cache, relative to that of the same model with multi-head attention.

    That would cache a key and a value as wide as the input of the output projection, which has one
    head for each query head.
    """
    count, cached, multi_head = model.architecture.count, 0, 0
    caching = {p.stack for p in attention for _array in p.stage.caches}
    for placed in attention:
        arrays = placed.stage.caches
        width = sum(count(product(*array[1:])) for array in arrays)  # of a token's K and V
        cached += count(placed.uses) * width
        if placed.stack in caching:
            outputs = (t for t in tensors_of([placed]) if t.component == "attn_o" and t.is_matrix)
            multi_head += count(placed.uses) * 2 * sum(count(t.shape[0]) for t in outputs)
    return Fraction(cached, multi_head)


def _heads(model: Model) -> tuple[int, int]:
    """Numbers of query heads and key/value heads.

    They are ``(1, 1)``, as for a model that saves nothing, if they are unknown or if the model has
    no attention that caches keys and values.
    """
    attention = model.architecture.placed_stages(Group.ATTENTION)
    caching = [placed for placed in attention if placed.stage.caches]
    if not caching or caches_latents(placed.stage for placed in caching):
        return (1, 1)
    heads = model.config.sizes.get(H)
    key_heads = key_value_heads(model.architecture, caching)
    if not heads or not key_heads:
        return (1, 1)
    return (heads, key_heads)
