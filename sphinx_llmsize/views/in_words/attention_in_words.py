"""Kinds of attention in a few words: ``grouped-query attention``."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from sphinx_llmsize.algebra import product
from sphinx_llmsize.architecture.attention_heads import key_value_heads
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group, Source
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_G, D_H, D_V, H_DEC, H_ENC, H
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.in_words.description import Description
from sphinx_llmsize.views.in_words.part_components import PlacedStages, layers_with, tensors_of
from sphinx_llmsize.views.shared.latents import caches_latents

HEAD_DIMS = frozenset((D_H, D_G, D_V))
"""Symbols for the dimension of a head; layers of one model may have different ones."""
COMPRESSOR = "compressor"
"""Id of the stage that joins the keys and values of several tokens."""


class KeyValueHeads(NamedTuple):
    """Key/value heads of a layer.

    Attributes:
        number: number of heads.
        dim: number of elements in a key or value of one head.
    """

    number: int
    dim: int


class AttentionKind(Enum):
    """A kind of attention.

    Attributes:
        label: its name, translated where it is shown.
        abbreviation: its usual abbreviation; empty if it has none.
    """

    MULTI_HEAD = N_("multi-head attention"), "MHA"
    GROUPED_QUERY = N_("grouped-query attention"), "GQA"
    MULTI_QUERY = N_("multi-query attention"), "MQA"
    LATENT = N_("multi-head latent attention"), "MLA"
    COMPRESSED = N_("compressed attention"), ""
    """Keys and values of several tokens together, as in DeepSeek-V4."""
    OTHER = N_("attention"), ""

    def __init__(self, label: str, abbreviation: str) -> None:
        self.label = label
        self.abbreviation = abbreviation


WITH_KEY_VALUE_HEADS = frozenset(
    (AttentionKind.MULTI_HEAD, AttentionKind.GROUPED_QUERY, AttentionKind.MULTI_QUERY)
)
"""Kinds that have the same projections, with different numbers of key/value heads."""


def describe_attention(model: Model, placed_stages: PlacedStages) -> Description:
    """``grouped-query attention``, ``multi-head attention and cross-attention``."""
    kind = kind_of_attention(model, placed_stages)
    sources = {placed.stage.source for placed in placed_stages}
    has_cross_attention = {Source.ENCODER, Source.BEFORE} <= sources
    text = _(kind.label)
    if kind is AttentionKind.COMPRESSED:
        layers = layers_with(model, (p for p in placed_stages if p.stage.id == COMPRESSOR))
        if layers < layers_with(model, placed_stages):
            text = _(
                "{attention} (compressed in {number} layers)",
                attention=_(AttentionKind.MULTI_QUERY.label),
                number=thousands(layers),
            )
    if has_cross_attention:
        text = _("{attention} and cross-attention", attention=text)
    return Description(("attention", kind, has_cross_attention), frozenset(), text)


def kind_of_attention(model: Model, placed_stages: PlacedStages) -> AttentionKind:
    """The kind of attention of some stages: by what it caches, or its number of key/value heads."""
    if caches_latents(placed.stage for placed in placed_stages):
        return AttentionKind.LATENT
    if any(placed.stage.id == COMPRESSOR for placed in placed_stages):
        return AttentionKind.COMPRESSED
    sizes = model.config.sizes
    if H_ENC in sizes or H_DEC in sizes:  # their families have no number of key/value heads
        return AttentionKind.MULTI_HEAD
    heads = sizes.get(H) or _most_query_heads(model, placed_stages)
    kv_heads = key_value_heads(model.architecture, placed_stages)
    kv_heads = kv_heads or _fewest_kv_heads(model, placed_stages)
    if not heads or not kv_heads:
        return AttentionKind.OTHER
    if kv_heads == heads:
        return AttentionKind.MULTI_HEAD
    return AttentionKind.MULTI_QUERY if kv_heads == 1 else AttentionKind.GROUPED_QUERY


def _fewest_kv_heads(model: Model, placed_stages: PlacedStages) -> int | None:
    """Number of key/value heads in the layer with the fewest; None if unknown.

    If all layers have H query heads, it is the width of K over that of one query head.
    """
    count = model.architecture.count
    if H not in model.config.sizes:
        numbers = [heads.number for heads in stages_by_kv_heads(model, placed_stages)]
        return min(numbers, default=None)
    query_widths = [count(tensor.shape[-1]) for tensor in _weights(placed_stages, "attn_q")]
    key_widths = [count(tensor.shape[-1]) for tensor in _weights(placed_stages, "attn_k")]
    if not query_widths or not key_widths:
        return None
    return min(key_widths) * model.config.sizes[H] // min(query_widths)


def _most_query_heads(model: Model, placed_stages: PlacedStages) -> int | None:
    """Number of query heads in the layer with the most; None if unknown.

    It is the input width of the output projection over the dimension of a head.
    """
    head_dim = model.config.sizes.get(D_H)
    widths = [model.architecture.count(t.shape[0]) for t in _weights(placed_stages, "attn_o")]
    return max(widths) // head_dim if widths and head_dim else None


def _weights(placed_stages: PlacedStages, component: str) -> list[Tensor]:
    """The weight matrices of a component."""
    return [
        tensor
        for tensor in tensors_of(placed_stages)
        if tensor.component == component and tensor.role is Role.WEIGHT
    ]


def stages_by_kv_heads(
    model: Model, placed_stages: PlacedStages
) -> dict[KeyValueHeads, list[PlacedStage]]:
    """The stages of attention, by the key/value heads that they cache.

    Stages that cache anything else than one array of keys and values, such as latents, are omitted.
    """
    stages: dict[KeyValueHeads, list[PlacedStage]] = {}
    for placed in placed_stages:
        arrays = placed.stage.caches
        if placed.stage.group is not Group.ATTENTION or len(arrays) != 1:
            continue
        head_dims = product(*arrays[0]).symbols() & HEAD_DIMS
        if len(head_dims) == 1:
            (symbol,) = head_dims
            dim = model.config.sizes[symbol]
            width = model.architecture.count(product(*arrays[0][1:]))  # of a token's K and V
            heads = KeyValueHeads(width // (2 * dim), dim)
            stages.setdefault(heads, []).append(placed)
    return stages
