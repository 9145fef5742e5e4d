"""DeepSeek V2, V3 and V3.2: latent attention, experts after a few dense layers."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family, Note
from sphinx_llmsize.architecture.layers import Kinds, first
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.latent_attention import latent_attention, lightning_indexer
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.sparse_layers import ffn_kinds, layers_with_experts
from sphinx_llmsize.architecture.pieces import Block, Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    E_S,
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    F_E,
    FIRST_DENSE_LAYERS,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
)
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.latent import (
    INDEX_HEAD_DIM,
    INDEX_HEADS,
    KV_LORA_RANK,
    NOPE_HEAD_DIM,
    Q_LORA_RANK,
    ROPE_HEAD_DIM,
    V_HEAD_DIM,
)
from sphinx_llmsize.config.layer_keys import FFN_LAYER_TYPES
from sphinx_llmsize.config.rules import Rule, Settings, one_for_each_layer, only_these
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HIDDEN_DIM,
    MLP_BIAS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)
from sphinx_llmsize.errors import ConfigError, Problem


def deepseek_v2(config: Config) -> tuple[Item, ...]:
    """DeepSeek-V3's layers, whose MLPs and shared experts may have biases."""
    return deepseek(config, mlp_bias=config.flag(MLP_BIAS))


def deepseek(config: Config, *, mlp_bias: bool = False) -> tuple[Item, ...]:
    """Latent attention everywhere; a gated MLP in the first layers, experts in the others."""
    attention = latent_attention(
        query_latent=config.has(Q_LORA_RANK), bias=config.flag(ATTENTION_BIAS)
    )
    layers = layers_with_experts(
        config,
        attention,
        deepseek_experts(config, bias=mlp_bias),
        first_dense(config),
        dense=gated_mlp(bias=mlp_bias),
    )
    return decoder(config, layers, norm=rms_norm)


def deepseek_v32(config: Config) -> tuple[Item, ...]:
    """DeepSeek-V3, with an indexer that chooses the keys for every query."""
    bias = config.flag(ATTENTION_BIAS)
    attention = latent_attention(query_latent=True, bias=bias, index=lightning_indexer())
    kinds = ffn_kinds(config, first_dense(config))
    layers = layers_with_experts(config, attention, deepseek_experts(config), kinds)
    return decoder(config, layers, norm=rms_norm)


def deepseek_experts(config: Config, *, bias: bool = False) -> Block:
    """Experts beside E_s shared ones, which are one MLP of E_s times their width."""
    shared = shared_expert(width=E_S * F_E, bias=bias) if config.has(E_S) else ()
    return mixture_of_experts(gated_experts(), shared=shared)


def first_dense(config: Config) -> Kinds:
    """The first layers dense, the others with experts."""
    return first(config.count(FIRST_DENSE_LAYERS), "dense", then="MoE")


def _check_query_latent(settings: Settings, given: Given) -> None:
    if settings[Q_LORA_RANK] is None:
        raise ConfigError(
            f"{given.name(Q_LORA_RANK)} must be a number in this family",
            Problem.VALUE,
            hint="queries have a latent here; deepseek_v3 can do without",
            line=given.line(Q_LORA_RANK),
        )


def _all_experts(settings: Settings) -> Settings:
    return {EXPERTS_PER_TOKEN: settings[NUM_EXPERTS]}


QUERY_LATENT = Rule(check=_check_query_latent)
"""Queries must have a latent."""
FFN_TYPES = only_these(FFN_LAYER_TYPES, ("dense", "sparse"))
"""Layers are dense or sparse, which means with experts."""
ALL_EXPERTS = Rule(_all_experts)
"""Where the experts of a token are not told, it uses all."""
NEXT_TOKEN_NOTE = Note(
    "The released weights also have multi-token-prediction layers, used in training "
    "and for speculative decoding; they are not counted here.",
    NEXT_TOKEN_LAYERS,
)
CORRECTION_BIAS_NOTE = Note(
    "In every layer with experts the router also has a correction bias "
    "(e_score_correction_bias), one number for each expert: a buffer that balances the load, "
    "not a parameter. Some published totals count it; it is not counted here.",
    NUM_EXPERTS,
)

DEEPSEEK_V3 = Family(
    model_type="deepseek_v3",
    title="DeepSeek-V3",
    source="https://arxiv.org/abs/2412.19437",
    architectures=("DeepseekV3ForCausalLM",),
    defaults={
        HIDDEN_DIM: 7168,
        NUM_LAYERS: 61,
        NUM_HEADS: 128,
        Q_LORA_RANK: 1536,
        KV_LORA_RANK: 512,
        NOPE_HEAD_DIM: 128,
        ROPE_HEAD_DIM: 64,
        V_HEAD_DIM: 128,
        FFN_DIM: 18_432,
        NUM_EXPERTS: 256,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 2048,
        NUM_SHARED_EXPERTS: 1,
        FIRST_DENSE_LAYERS: 3,
        VOCAB_SIZE: 129_280,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(),
    compose=deepseek,
    notes=(NEXT_TOKEN_NOTE, CORRECTION_BIAS_NOTE),
)
DEEPSEEK_V2 = replace(
    DEEPSEEK_V3,
    model_type="deepseek_v2",
    title="DeepSeek-V2",
    source="https://arxiv.org/abs/2405.04434",
    architectures=("DeepseekV2ForCausalLM",),
    defaults={
        **DEEPSEEK_V3.defaults,
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        FFN_DIM: 11_008,
        NUM_EXPERTS: 64,
        EXPERTS_PER_TOKEN: None,
        EXPERT_DIM: 1407,
        NUM_SHARED_EXPERTS: 2,
        FIRST_DENSE_LAYERS: 0,
        VOCAB_SIZE: 102_400,
        MLP_BIAS: False,
    },
    rules=(ALL_EXPERTS,),
    compose=deepseek_v2,
    notes=(),
)
DEEPSEEK_V32 = replace(
    DEEPSEEK_V3,
    model_type="deepseek_v32",
    title="DeepSeek-V3.2",
    source="https://arxiv.org/abs/2512.02556",
    architectures=("DeepseekV32ForCausalLM",),
    defaults={
        **DEEPSEEK_V3.defaults,
        INDEX_HEADS: 64,
        INDEX_HEAD_DIM: 128,
        FFN_LAYER_TYPES: None,
    },
    rules=(QUERY_LATENT, FFN_TYPES, one_for_each_layer(FFN_LAYER_TYPES)),
    compose=deepseek_v32,
)

FAMILIES = (DEEPSEEK_V2, DEEPSEEK_V3, DEEPSEEK_V32)
