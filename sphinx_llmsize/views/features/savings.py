"""Sentences on parts that save parameters or memory, or take many: with the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sphinx_llmsize.algebra import Symbol, product
from sphinx_llmsize.architecture.cost import growth
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.symbols import R_KV, H
from sphinx_llmsize.formats import factor_text, percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.parts_in_words import key_value_heads
from sphinx_llmsize.views.naming.conventions import untied_total
from sphinx_llmsize.views.shared.wording import listed_text

LARGE_SHARE = Fraction(1, 4)
"""Share of embeddings and head from which a vocabulary counts as large."""


def latent_attention(model: Model) -> str:
    """Sentence on what multi-head latent attention caches; empty for other models."""
    elements = {
        sum(growth(model.architecture, shape) for shape in place.stage.caches)
        for place in _attention(model)
        if any(R_KV in symbols for symbols in _cached_symbols(place))
    }
    heads = model.config.sizes.get(H)
    if len(elements) != 1 or not heads:
        return ""
    return _(
        "Multi-head latent attention: a layer caches {elements} elements for each token, which all "
        "{heads} heads share.",
        elements=factor_text(Fraction(*elements)),
        heads=heads,
    )


def grouped_queries(model: Model) -> str:
    """Sentence on how much grouped-query attention saves; empty for other models."""
    heads, shared = _heads(model)
    if shared in (1, heads):
        return ""
    return _(
        "Grouped-query attention: {heads} query heads share {shared} key/value heads, so the KV "
        "cache is {factor} as large as with multi-head attention.",
        heads=heads,
        shared=shared,
        factor=_factor(Fraction(shared, heads)),
    )


def one_key_head(model: Model) -> str:
    """Sentence on how much multi-query attention saves; empty for other models."""
    heads, shared = _heads(model)
    if shared == heads or shared != 1:
        return ""
    return _(
        "Multi-query attention: all {heads} query heads share one key/value head, so the KV cache "
        "is {factor} as large as with multi-head attention.",
        heads=heads,
        factor=_factor(Fraction(1, heads)),
    )


def windows(model: Model) -> str:
    """Sentence on layers with a sliding window; empty for models without."""
    stacks = tuple(model.architecture.stacks())
    found: dict[int, int] = {}
    for windowed in (each for stack in stacks for each in stack.windows):
        found[windowed.window] = found.get(windowed.window, 0) + windowed.layers
    layers = sum(model.architecture.count(stack.uses) for stack in stacks)
    if layers in found.values():
        (window,) = found
        return _("Sliding window: every layer attends to the last {window} tokens.", window=window)
    parts = [
        _("{number} attend to the last {window} tokens", number=number, window=window)
        for window, number in found.items()
    ]
    listed = {"layers": layers, "windows": listed_text(parts)}
    return _("Sliding windows: of {layers} layers, {windows}.", **listed) if found else ""


def shared_layers(model: Model) -> str:
    """Sentence on layers that use the same weights; empty for models without."""
    architecture = model.architecture
    saved = sum(
        architecture.count(place.stage.parameters)
        * (architecture.count(place.uses) - architecture.count(place.layers))
        for place in architecture.places()
    )
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
    outside = model.in_groups(Group.EMBEDDING, Group.HEAD)
    if Fraction(outside, model.total) < LARGE_SHARE:
        return ""
    return _(
        "Large vocabulary: embeddings and head have {number} parameters, {share} of all.",
        number=thousands(outside),
        share=percent(Fraction(outside, model.total)),
    )


def _factor(factor: Fraction) -> str:
    """``half``, ``1/4``: how large a cache is compared with another."""
    return _("half") if factor == Fraction(1, 2) else factor_text(factor)


def _heads(model: Model) -> tuple[int, int]:
    """Query heads and key/value heads; equal for models whose heads share nothing."""
    caching = [place for place in _attention(model) if place.stage.caches]
    has_latents = any(R_KV in symbols for place in caching for symbols in _cached_symbols(place))
    heads, shared = model.config.sizes.get(H), key_value_heads(model, caching)
    return (heads, shared) if caching and heads and shared and not has_latents else (1, 1)


def _cached_symbols(place: PlacedStage) -> Iterator[set[Symbol]]:
    return (set(product(*shape).symbols()) for shape in place.stage.caches)


def _attention(model: Model) -> Iterator[PlacedStage]:
    return (p for p in model.architecture.places() if p.stage.group is Group.ATTENTION)
