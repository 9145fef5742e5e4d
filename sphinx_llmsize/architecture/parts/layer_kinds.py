"""Layer kinds of several families, and functions that read them from a configuration."""

from __future__ import annotations

from collections.abc import Mapping

from sphinx_llmsize.architecture.layers import Kinds, every, first, from_list
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.translation import N_

DENSE = LayerKind("dense", N_("dense"))
MOE = LayerKind("moe", N_("MoE"), "MoE", group=Group.EXPERTS)

ATTENTION = LayerKind("attention", N_("attention"), "attn", group=Group.ATTENTION)
"""Attention with or without a window, in models whose other layers have no attention."""
FULL_ATTENTION = LayerKind("full_attention", N_("full-attention"), "full")
MIXER_ATTENTION = LayerKind("full_attention", N_("attention"), "attn", group=Group.ATTENTION)
"""Full attention in models whose other layers have no attention, so that "full" says nothing."""
SLIDING_ATTENTION = LayerKind("sliding_attention", N_("sliding-attention"), "sliding")
INDEXED_ATTENTION = LayerKind("indexed_attention", N_("indexed-attention"), "indexed")
"""Attention to the keys that an indexer selects."""
LINEAR_ATTENTION = LayerKind(
    "linear_attention", N_("linear-attention"), "linear", group=Group.MIXER
)
CROSS_ATTENTION = LayerKind("cross_attention", N_("cross-attention"), "cross")
MAMBA = LayerKind("mamba", N_("Mamba"), "Mamba", group=Group.MIXER)
MAMBA2 = LayerKind("mamba2", N_("Mamba-2"), "Mamba", group=Group.MIXER)
HYBRID = LayerKind("hybrid", N_("hybrid"))
"""A Mamba layer that also applies a transformer layer with shared weights (Zamba)."""

OWN_KV = LayerKind("own_kv", N_("own-KV"), "own")
SHARED_KV = LayerKind("shared_kv", N_("shared-KV"), "shared")
"""Attention to the keys and values of an earlier layer."""
OWN_INDEX = LayerKind("own_index", N_("own-index"), "own")
SHARED_INDEX = LayerKind("shared_index", N_("shared-index"), "shared")
"""Attention to the keys that the indexer of an earlier layer selects."""
ROTARY = LayerKind("rotary", N_("rotary"), "rotary")
NO_POSITIONS = LayerKind("no_positions", N_("position-free"), "free")

ENCODER = LayerKind("encoder", N_("encoder"), "enc")
DECODER = LayerKind("decoder", N_("decoder"), "dec")
SHARED_LAYER = LayerKind("shared", N_("shared"))
"""A transformer layer that a model applies several times (Zamba)."""
FIRST = LayerKind("first", N_("first"), label_is_position=True)
LATER = LayerKind("later", N_("later"), label_is_position=True)
"""All layers but the first one."""


def mixer_names(kind: LayerKind, full: LayerKind = FULL_ATTENTION) -> dict[str, LayerKind]:
    """Map the names in ``layer_types`` to ``full`` attention or to ``kind``, the other mixer."""
    return {"linear_attention": kind, "mamba": kind, "full_attention": full, "attention": full}


def mixer_kinds(config: Config, names: Mapping[str, LayerKind], *, otherwise: Kinds) -> Kinds:
    """The kinds listed in ``layer_types``, or ``otherwise`` if it is null."""
    entries = config.names(k.LAYER_TYPES)
    return from_list([names[entry] for entry in entries]) if entries else otherwise


def ffn_kinds(config: Config, *, otherwise: Kinds) -> Kinds:
    """Dense and MoE layers as listed in ``ffn_layer_types``, or ``otherwise`` if it is null."""
    names = config.names(k.FFN_LAYER_TYPES)
    kinds = [MOE if name == "sparse" else DENSE for name in names]
    return from_list(kinds) if kinds else otherwise


def first_dense(config: Config) -> Kinds:
    """``num_first_dense_layers`` dense layers, then MoE layers."""
    return first(config.count(k.FIRST_DENSE_LAYERS), DENSE, then=MOE)


def moe_every(step: int, *, first_dense: int) -> Kinds:
    """MoE layers: those numbered 0, ``step``, 2 · ``step`` …, except the first dense layers."""
    regular = every(step, MOE, others=DENSE)
    return first(first_dense, DENSE, then=regular)


def indexer_kinds(config: Config, *, otherwise: Kinds) -> Kinds:
    """Separate and shared indexers as listed in ``indexer_types``, or ``otherwise`` without it."""
    names = config.names(k.INDEXER_TYPES)
    kinds = [SHARED_INDEX if name == "shared" else OWN_INDEX for name in names]
    return from_list(kinds) if kinds else otherwise
