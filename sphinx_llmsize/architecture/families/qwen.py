"""Qwen1.5 to Qwen3, with biases at first and norms on Q and K later, with or without experts."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, among, every, same
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS


def qwen2(config: Config) -> tuple[Item, ...]:
    """Llama's block with biases on Q, K and V."""
    attention = parts.grouped_query_attention(bias=True, output_bias=False)
    return parts.decoder(
        config, parts.pre_norm(parts.rms_norm, attention, parts.gated_mlp()), norm=parts.rms_norm
    )


def qwen3(config: Config) -> tuple[Item, ...]:
    """Llama's block with norms on the queries and keys of each head."""
    return parts.decoder(
        config,
        parts.pre_norm(parts.rms_norm, normed_attention(config), parts.gated_mlp()),
        norm=parts.rms_norm,
    )


def qwen2_moe(config: Config) -> tuple[Item, ...]:
    """Routed experts beside a gated shared one."""
    attention = parts.grouped_query_attention(bias=config.flag(k.QKV_BIAS), output_bias=False)
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=parts.shared_expert(gate=True))
    return parts.decoder_with_experts(config, attention, experts, sparse_layers(config))


def qwen3_moe(config: Config) -> tuple[Item, ...]:
    """Routed experts only."""
    experts = parts.mixture_of_experts(parts.gated_experts())
    return parts.decoder_with_experts(
        config, normed_attention(config), experts, sparse_layers(config)
    )


def normed_attention(config: Config) -> Block:
    """Qwen3's attention: a norm over each head's queries and keys, biases if told."""
    return parts.grouped_query_attention(
        bias=config.flag(k.ATTENTION_BIAS), norms=parts.head_norms()
    )


def sparse_layers(config: Config) -> Kinds:
    """Which layers have experts: one in so many, but not those listed as dense."""
    if not config.has(k.NUM_EXPERTS):
        return same(parts.DENSE)
    step = config.count(k.EXPERT_LAYER_STEP)
    by_step = every(step, parts.MOE, others=parts.DENSE, start=step - 1)
    return among(config.counts(k.DENSE_LAYERS), parts.DENSE, others=by_step)


QWEN2 = Family(
    model_type="qwen2",
    title="Qwen2",
    source="https://arxiv.org/abs/2407.10671",
    architectures=("Qwen2ForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 32,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: 32,
        k.HEAD_DIM: None,
        k.FFN_DIM: 22_016,
        k.USES_WINDOW: False,
        k.SLIDING_WINDOW: 4096,
        k.MAX_WINDOW_LAYERS: 28,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 151_936,
        k.TIE_EMBEDDINGS: False,
    },
    compose=qwen2,
    rules=(ATTENTION_HEADS, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.all_but_first_layers, parts.window_if_used),
)
QWEN3 = replace(
    QWEN2,
    model_type="qwen3",
    title="Qwen3",
    source="https://arxiv.org/abs/2505.09388",
    architectures=("Qwen3ForCausalLM",),
    defaults={**QWEN2.defaults, k.HEAD_DIM: 128, k.ATTENTION_BIAS: False},
    compose=qwen3,
)
QWEN2_MOE = replace(
    QWEN2,
    model_type="qwen2_moe",
    title="Qwen2 MoE",
    architectures=("Qwen2MoeForCausalLM",),
    defaults={
        **QWEN2.defaults,
        k.HIDDEN_DIM: 2048,
        k.NUM_LAYERS: 24,
        k.NUM_HEADS: 16,
        k.NUM_KV_HEADS: 16,
        k.FFN_DIM: 5632,
        k.NUM_EXPERTS: 60,
        k.EXPERTS_PER_TOKEN: 4,
        k.EXPERT_DIM: 1408,
        k.SHARED_EXPERT_DIM: 5632,
        k.EXPERT_LAYER_STEP: 1,
        k.DENSE_LAYERS: None,
        k.QKV_BIAS: True,
    },
    compose=qwen2_moe,
    windows=parts.by_layer_types(parts.alternating_first_layers, parts.window_if_used),
)
QWEN3_MOE = replace(
    QWEN3,
    model_type="qwen3_moe",
    title="Qwen3 MoE",
    architectures=("Qwen3MoeForCausalLM",),
    defaults={
        **QWEN3.defaults,
        k.HIDDEN_DIM: 2048,
        k.NUM_LAYERS: 24,
        k.NUM_KV_HEADS: 4,
        k.HEAD_DIM: None,
        k.FFN_DIM: 6144,
        k.NUM_EXPERTS: 128,
        k.EXPERTS_PER_TOKEN: 8,
        k.EXPERT_DIM: 768,
        k.EXPERT_LAYER_STEP: 1,
        k.DENSE_LAYERS: None,
    },
    compose=qwen3_moe,
    windows=parts.with_windows(parts.all_layers, parts.window_if_used),
)

FAMILIES = (QWEN2, QWEN3, QWEN2_MOE, QWEN3_MOE)
