"""DeepSeek V2, V3 and V3.2: latent attention, experts after a few dense layers."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ALL_EXPERTS


def deepseek_v2(config: Config) -> tuple[Item, ...]:
    """DeepSeek-V3's layers, whose MLPs and shared experts may have biases."""
    return deepseek(config, mlp_bias=config.flag(k.MLP_BIAS))


def deepseek(config: Config, *, mlp_bias: bool = False) -> tuple[Item, ...]:
    """Latent attention everywhere; a gated MLP in the first layers, experts in the others."""
    attention = parts.latent_attention(
        query_latent=config.has(k.Q_LORA_RANK), bias=config.flag(k.ATTENTION_BIAS)
    )
    return parts.decoder_with_experts(
        config,
        attention,
        parts.experts_and_shared(config, shared_bias=mlp_bias),
        parts.first_dense(config),
        dense=parts.gated_mlp(bias=mlp_bias),
    )


def deepseek_v32(config: Config) -> tuple[Item, ...]:
    """DeepSeek-V3, with an indexer that chooses the keys for every query."""
    bias = config.flag(k.ATTENTION_BIAS)
    attention = parts.latent_attention(
        query_latent=True, bias=bias, index=parts.lightning_indexer()
    )
    kinds = parts.ffn_kinds(config, parts.first_dense(config))
    return parts.decoder_with_experts(config, attention, parts.experts_and_shared(config), kinds)


DEEPSEEK_V3 = Family(
    model_type="deepseek_v3",
    title="DeepSeek-V3",
    source="https://arxiv.org/abs/2412.19437",
    architectures=("DeepseekV3ForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 7168,
        k.NUM_LAYERS: 61,
        k.NUM_HEADS: 128,
        k.Q_LORA_RANK: 1536,
        k.KV_LORA_RANK: 512,
        k.NOPE_HEAD_DIM: 128,
        k.ROPE_HEAD_DIM: 64,
        k.V_HEAD_DIM: 128,
        k.FFN_DIM: 18_432,
        k.NUM_EXPERTS: 256,
        k.EXPERTS_PER_TOKEN: 8,
        k.EXPERT_DIM: 2048,
        k.NUM_SHARED_EXPERTS: 1,
        k.FIRST_DENSE_LAYERS: 3,
        k.VOCAB_SIZE: 129_280,
        k.ATTENTION_BIAS: False,
        k.TIE_EMBEDDINGS: False,
        k.NEXT_TOKEN_LAYERS: None,
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
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 32,
        k.NUM_HEADS: 32,
        k.FFN_DIM: 11_008,
        k.NUM_EXPERTS: 64,
        k.EXPERTS_PER_TOKEN: None,
        k.EXPERT_DIM: 1407,
        k.NUM_SHARED_EXPERTS: 2,
        k.FIRST_DENSE_LAYERS: 0,
        k.VOCAB_SIZE: 102_400,
        k.MLP_BIAS: False,
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
        k.INDEX_HEADS: 64,
        k.INDEX_HEAD_DIM: 128,
        k.FFN_LAYER_TYPES: None,
    },
    rules=(k.QUERY_LATENT, k.FFN_TYPES, k.one_for_each_layer(k.FFN_LAYER_TYPES)),
    compose=deepseek_v32,
)

FAMILIES = (DEEPSEEK_V2, DEEPSEEK_V3, DEEPSEEK_V32)
