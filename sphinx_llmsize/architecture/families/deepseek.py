"""DeepSeek V2, V3 and V3.2: latent attention, experts after a few dense layers."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.indexers import lightning_indexer
from sphinx_llmsize.architecture.parts.latent_attention import latent_attention
from sphinx_llmsize.architecture.parts.layer_kinds import ffn_kinds, first_dense
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts, experts_and_shared
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    FIRST_DENSE_LAYERS,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
)
from sphinx_llmsize.config.indexer import INDEX_HEAD_DIM, INDEX_HEADS
from sphinx_llmsize.config.latent_attention import (
    KV_LORA_RANK,
    NOPE_HEAD_DIM,
    Q_LORA_RANK,
    QUERY_LATENT,
    ROPE_HEAD_DIM,
    V_HEAD_DIM,
)
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, FFN_TYPES
from sphinx_llmsize.config.rules import ALL_EXPERTS, one_for_each_layer
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


def deepseek_v2(config: Config) -> tuple[Item, ...]:
    """DeepSeek-V3's layers, whose MLPs and shared experts may have biases."""
    return deepseek(config, mlp_bias=config.flag(MLP_BIAS))


def deepseek(config: Config, *, mlp_bias: bool = False) -> tuple[Item, ...]:
    """Latent attention everywhere; a gated MLP in the first layers, experts in the others."""
    attention = latent_attention(
        query_latent=config.has(Q_LORA_RANK), bias=config.flag(ATTENTION_BIAS)
    )
    return decoder_with_experts(
        config,
        attention,
        experts_and_shared(config, shared_bias=mlp_bias),
        first_dense(config),
        dense=gated_mlp(bias=mlp_bias),
    )


def deepseek_v32(config: Config) -> tuple[Item, ...]:
    """DeepSeek-V3, with an indexer that chooses the keys for every query."""
    bias = config.flag(ATTENTION_BIAS)
    attention = latent_attention(query_latent=True, bias=bias, index=lightning_indexer())
    kinds = ffn_kinds(config, first_dense(config))
    return decoder_with_experts(config, attention, experts_and_shared(config), kinds)


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
