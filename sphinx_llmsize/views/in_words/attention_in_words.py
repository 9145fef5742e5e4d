"""Kinds of attention in a few words: ``grouped-query attention``."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from sphinx_llmsize.algebra import product
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group, Source
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config.symbols import D_G, D_H, D_V, H_DEC, H_ENC, H_KV, T_SEEN, H
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.in_words.part_components import PlacedStages
from sphinx_llmsize.views.shared.latents import caches_latents

HEAD_DIMS = frozenset((D_H, D_G, D_V))
"""Dimensions of heads, which layers of a model may have different ones of."""


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
    OTHER = N_("attention"), ""

    def __init__(self, label: str, abbreviation: str) -> None:
        self.label = label
        self.abbreviation = abbreviation


def attention_in_words(model: Model, placed_stages: PlacedStages) -> str:
    """The kind of attention, by its number of key/value heads: ``grouped-query attention``."""
    kind = _(kind_of_attention(model, placed_stages).label)
    sources = {placed.stage.source for placed in placed_stages}
    if Source.ENCODER in sources and Source.BEFORE in sources:
        return _("{attention} and cross-attention", attention=kind)
    return kind


def kind_of_attention(model: Model, placed_stages: PlacedStages) -> AttentionKind:
    """The kind of attention of some stages, by their number of key/value heads."""
    if caches_latents(placed.stage for placed in placed_stages):
        return AttentionKind.LATENT
    sizes = model.config.sizes
    if H_ENC in sizes or H_DEC in sizes:
        return AttentionKind.MULTI_HEAD
    heads = sizes.get(H) or _most_query_heads(model, placed_stages)
    shared = key_value_heads(model, placed_stages) or _least_key_value_heads(model, placed_stages)
    if not heads or not shared:
        return AttentionKind.OTHER
    if shared == heads:
        return AttentionKind.MULTI_HEAD
    return AttentionKind.MULTI_QUERY if shared == 1 else AttentionKind.GROUPED_QUERY


def key_value_heads(model: Model, placed_stages: PlacedStages) -> int | None:
    """Number of key/value heads in the attention of a model; None if layers differ.

    Falcon 7B and StarCoder cache one head, whatever the number of key/value heads in their files.
    """
    sizes = model.config.sizes
    single_arrays = [p.stage.caches[0] for p in placed_stages if len(p.stage.caches) == 1]
    if any(product(*shape).symbols() == {T_SEEN, D_H} for shape in single_arrays):
        return 1
    return sizes.get(H_KV)


def _least_key_value_heads(model: Model, placed_stages: PlacedStages) -> int | None:
    """Key/value heads of the layer with the fewest: the width of K over that of a query head."""
    if H not in model.config.sizes:  # layers have different numbers of query heads
        return min(
            (number for number, _dim, _having in heads_by_layer(model, placed_stages)), default=None
        )
    tensors = [t for placed in placed_stages for t in placed.stage.tensors if t.role is Role.WEIGHT]
    queries, keys = (
        [model.architecture.count(t.shape[-1]) for t in tensors if t.component == component]
        for component in ("attn_q", "attn_k")
    )
    if not queries or not keys:
        return None
    return min(keys) * model.config.sizes[H] // min(queries)


def _most_query_heads(model: Model, placed_stages: PlacedStages) -> int | None:
    """Query heads of the layer with the most, whose outputs are projected to D."""
    head_dim = model.config.sizes.get(D_H)
    widths = [
        model.architecture.count(tensor.shape[0])
        for placed in placed_stages
        for tensor in placed.stage.tensors
        if tensor.component == "attn_o" and tensor.role is Role.WEIGHT
    ]
    return max(widths) // head_dim if widths and head_dim else None


def heads_by_layer(
    model: Model, placed_stages: PlacedStages
) -> Iterator[tuple[int, int, PlacedStages]]:
    """Numbers of key/value heads and their dimensions, with the stages that cache them.

    Stages whose keys and values have other shapes, such as latents, are left out.
    """
    stages: dict[tuple[int, int], list[PlacedStage]] = {}
    for placed in placed_stages:
        arrays = placed.stage.caches
        if placed.stage.group is not Group.ATTENTION or len(arrays) != 1:
            continue
        dims = product(*arrays[0]).symbols() & HEAD_DIMS
        width = model.architecture.count(product(*arrays[0][1:]))
        if len(dims) == 1:
            (dim,) = (model.config.sizes[each] for each in dims)
            stages.setdefault((width // (2 * dim), dim), []).append(placed)
    return ((*heads, found) for heads, found in stages.items())
