"""Phi-1 to Phi-4: parallel layers with biases at first, fused projections later, experts in one."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS, heads_fill_hidden
from sphinx_llmsize.config.symbols import F


def phi(config: Config) -> tuple[Item, ...]:
    """Attention and MLP side by side, with biases everywhere."""
    norms = parts.head_norms(bias=True) if config.flag(k.QK_NORM) else ()
    block = parts.parallel(
        parts.layer_norm,
        parts.grouped_query_attention(bias=True, norms=norms),
        parts.mlp(bias=True),
    )
    return parts.decoder(config, block, norm=parts.layer_norm, head_bias=True)


def phi3(config: Config) -> tuple[Item, ...]:
    """Llama's block with Q, K and V in one matrix, gate and up in another."""
    attention = parts.fused_attention(bias=False, width=parts.QUERY_WIDTH, kv_width=parts.KEY_WIDTH)
    return parts.decoder(
        config,
        parts.pre_norm(parts.rms_norm, attention, parts.fused_gated_mlp()),
        norm=parts.rms_norm,
    )


def phimoe(config: Config) -> tuple[Item, ...]:
    """Mixtral's block with layer norms and, if told, biases."""
    attention = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS))
    block = parts.pre_norm(
        parts.layer_norm, attention, parts.mixture_of_experts(parts.gated_experts(width=F))
    )
    return parts.decoder(
        config, block, norm=parts.layer_norm, head_bias=config.flag(k.LM_HEAD_BIAS)
    )


PHI = Family(
    model_type="phi",
    title="Phi",
    source="https://arxiv.org/abs/2309.05463",
    architectures=("PhiForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 2048,
        k.NUM_LAYERS: 24,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: None,
        k.HEAD_DIM: None,
        k.FFN_DIM: 8192,
        k.VOCAB_SIZE: 51_200,
        k.QK_NORM: False,
        k.TIE_EMBEDDINGS: False,
    },
    rules=(ATTENTION_HEADS, heads_fill_hidden(k.QK_NORM)),
    compose=phi,
)
PHI3 = Family(
    model_type="phi3",
    title="Phi-3",
    source="https://arxiv.org/abs/2404.14219",
    architectures=("Phi3ForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 3072,
        k.NUM_LAYERS: 32,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: None,
        k.HEAD_DIM: None,
        k.FFN_DIM: 8192,
        k.SLIDING_WINDOW: None,
        k.VOCAB_SIZE: 32_064,
        k.TIE_EMBEDDINGS: False,
    },
    compose=phi3,
    windows=parts.in_all_layers,
)
PHIMOE = Family(
    model_type="phimoe",
    title="Phi-3.5-MoE",
    source="https://arxiv.org/abs/2404.14219",
    architectures=("PhimoeForCausalLM", "PhiMoEForCausalLM"),
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 32,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: 8,
        k.HEAD_DIM: None,
        k.FFN_DIM: 6400,
        k.NUM_EXPERTS: 16,
        k.EXPERTS_PER_TOKEN: 2,
        k.SLIDING_WINDOW: None,
        k.VOCAB_SIZE: 32_064,
        k.ATTENTION_BIAS: False,
        k.LM_HEAD_BIAS: False,
        k.TIE_EMBEDDINGS: False,
    },
    compose=phimoe,
    windows=parts.in_all_layers,
)

FAMILIES = (PHI, PHI3, PHIMOE)
