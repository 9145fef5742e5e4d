"""MiniMax: lightning attention in Text-01, full attention in M2, an indexer in M3."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.families.mistral import MIXTRAL
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, every, layered, listed, same
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.parts.attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    grouped_query_attention,
)
from sphinx_llmsize.architecture.parts.blocks import beside, mixer_pre_norm, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.feed_forward import fused_gated_mlp
from sphinx_llmsize.architecture.parts.indexers import block_indexer
from sphinx_llmsize.architecture.parts.layer_kinds import ffn_kinds, mixer_kinds, mixer_names
from sphinx_llmsize.architecture.parts.linear_attention import lightning_attention
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    SHARED_EXPERT_DIM,
)
from sphinx_llmsize.config.indexer import INDEX_HEAD_DIM, INDEX_HEADS
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer, only_these
from sphinx_llmsize.config.vocabulary import (
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
    L,
)

NAMES = mixer_names("lightning attention")
SPARSE_LAYERS = Key(
    "sparse_attention_layers",
    "for each layer 1 where it has an indexer, else 0",
    ("sparse_attention_config.sparse_attention_freq",),
    Kind.COUNTS,
    optional=True,
)
EXPERT_LAYERS = Key(
    "expert_layer_flags",
    "for each layer 1 where it has experts, 0 where it has an MLP",
    ("moe_layer_freq",),
    Kind.COUNTS,
    optional=True,
)


def minimax(config: Config) -> tuple[Item, ...]:
    """Both kinds of attention in turns, unless ``layer_types`` lists them."""
    experts = mixture_of_experts(gated_experts(width=F))

    def block(mixer: str) -> Block:
        if mixer == "full attention":
            return pre_norm(rms_norm, grouped_query_attention(), experts)
        return mixer_pre_norm(rms_norm, lightning_attention(), experts)

    in_turns = every(2, "full attention", others="lightning attention")
    mixer = mixer_kinds(config, NAMES, otherwise=in_turns)
    return decoder(config, layered(config.count(L), block, mixer=mixer), norm=rms_norm)


def minimax_m2(config: Config) -> tuple[Item, ...]:
    """One norm over all query heads together and one over all keys; experts everywhere."""
    norms = head_norms(query=QUERY_WIDTH, key=KEY_WIDTH)
    attention = grouped_query_attention(norms=norms)
    experts = mixture_of_experts(gated_experts(width=F))
    return decoder(config, pre_norm(rms_norm, attention, experts), norm=rms_norm)


def minimax_m3(config: Config) -> tuple[Item, ...]:
    """A norm for each head; a shared expert; sparse attention and dense layers where listed."""
    full = grouped_query_attention(norms=head_norms())
    sparse = beside(full, block_indexer(), before="scores")
    experts = mixture_of_experts(gated_experts(), shared=shared_expert())

    def block(mixer: str, ffn: str) -> Block:
        attention = sparse if mixer == "sparse attention" else full
        return pre_norm(rms_norm, attention, fused_gated_mlp() if ffn == "dense" else experts)

    kinds = {"mixer": attention_kinds(config), "ffn": expert_kinds(config)}
    return decoder(config, layered(config.count(L), block, **kinds), norm=rms_norm)


def attention_kinds(config: Config) -> Kinds:
    """Full attention, or sparse where the layers' types or flags say so."""
    flags = [name == "minimax_m3_sparse" for name in config.names(LAYER_TYPES)]
    flags = flags or [bool(flag) for flag in config.counts(SPARSE_LAYERS)]
    kinds = ["sparse attention" if flag else "full attention" for flag in flags]
    return listed(kinds) if kinds else same("full attention")


def expert_kinds(config: Config) -> Kinds:
    """Experts everywhere, unless the layers' types or flags say otherwise."""
    kinds = ["MoE" if flag else "dense" for flag in config.counts(EXPERT_LAYERS)]
    return ffn_kinds(config, listed(kinds) if kinds else same("MoE"))


MINIMAX = replace(
    MIXTRAL,
    model_type="minimax",
    title="MiniMax-Text-01",
    source="https://arxiv.org/abs/2501.08313",
    architectures=("MiniMaxForCausalLM",),
    defaults={**MIXTRAL.defaults, LAYER_TYPES: None},
    rules=(ATTENTION_HEADS, one_for_each_layer(LAYER_TYPES), only_these(LAYER_TYPES, NAMES)),
    compose=minimax,
)

MINIMAX_M2 = Family(
    model_type="minimax_m2",
    title="MiniMax-M2",
    source="https://huggingface.co/MiniMaxAI/MiniMax-M2",
    architectures=("MiniMaxM2ForCausalLM",),
    defaults={
        HIDDEN_DIM: 3072,
        NUM_LAYERS: 62,
        NUM_HEADS: 48,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 128,
        FFN_DIM: 1536,
        NUM_EXPERTS: 256,
        EXPERTS_PER_TOKEN: 8,
        VOCAB_SIZE: 200_064,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    compose=minimax_m2,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
)

MINIMAX_M3 = Family(
    model_type="minimax_m3_vl_text",
    title="MiniMax-M3 (text decoder)",
    source="https://huggingface.co/docs/transformers/model_doc/minimax_m3_vl",
    architectures=("MiniMaxM3VLForCausalLM",),
    defaults={
        HIDDEN_DIM: 6144,
        NUM_LAYERS: 60,
        NUM_HEADS: 64,
        NUM_KV_HEADS: 4,
        HEAD_DIM: 128,
        FFN_DIM: 12_288,
        NUM_EXPERTS: 128,
        EXPERTS_PER_TOKEN: 4,
        EXPERT_DIM: 3072,
        SHARED_EXPERT_DIM: 3072,
        INDEX_HEADS: 4,
        INDEX_HEAD_DIM: 128,
        LAYER_TYPES: None,
        SPARSE_LAYERS: None,
        FFN_LAYER_TYPES: None,
        EXPERT_LAYERS: None,
        VOCAB_SIZE: 200_064,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(
        ATTENTION_HEADS,
        one_for_each_layer(LAYER_TYPES, SPARSE_LAYERS, FFN_LAYER_TYPES, EXPERT_LAYERS),
    ),
    names={
        "intermediate_size": EXPERT_DIM,
        "dense_intermediate_size": FFN_DIM,
        "sparse_attention_config.sparse_num_index_heads": INDEX_HEADS,
        "sparse_attention_config.sparse_index_dim": INDEX_HEAD_DIM,
    },
    compose=minimax_m3,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
)

FAMILIES = (MINIMAX, MINIMAX_M2, MINIMAX_M3)
