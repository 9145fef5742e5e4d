"""Qwen1.5 to Qwen3, with biases at first and norms on Q and K later, with or without experts."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, among, every, same
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts
from sphinx_llmsize.architecture.parts.windows import (
    after_first,
    all_layers,
    by_layer_types,
    in_turn_at_first,
    window_if_used,
    with_windows,
)
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    DENSE_LAYERS,
    EXPERT_DIM,
    EXPERT_LAYER_STEP,
    EXPERTS_PER_TOKEN,
    NUM_EXPERTS,
    SHARED_EXPERT_DIM,
)
from sphinx_llmsize.config.layer_types import LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    QKV_BIAS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)
from sphinx_llmsize.config.windows import (
    LISTED_WINDOWS,
    MAX_WINDOW_LAYERS,
    SLIDING_WINDOW,
    USES_WINDOW,
)


def qwen2(config: Config) -> tuple[Item, ...]:
    """Llama's block with biases on Q, K and V."""
    attention = grouped_query_attention(bias=True, output_bias=False)
    return decoder(config, pre_norm(rms_norm, attention, gated_mlp()), norm=rms_norm)


def qwen3(config: Config) -> tuple[Item, ...]:
    """Llama's block with norms on the queries and keys of each head."""
    return decoder(config, pre_norm(rms_norm, normed_attention(config), gated_mlp()), norm=rms_norm)


def qwen2_moe(config: Config) -> tuple[Item, ...]:
    """Routed experts beside a gated shared one."""
    attention = grouped_query_attention(bias=config.flag(QKV_BIAS), output_bias=False)
    experts = mixture_of_experts(gated_experts(), shared=shared_expert(gate=True))
    return decoder_with_experts(config, attention, experts, sparse_layers(config))


def qwen3_moe(config: Config) -> tuple[Item, ...]:
    """Routed experts only."""
    experts = mixture_of_experts(gated_experts())
    return decoder_with_experts(config, normed_attention(config), experts, sparse_layers(config))


def normed_attention(config: Config) -> Block:
    """Qwen3's attention: a norm over each head's queries and keys, biases if told."""
    return grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=head_norms())


def sparse_layers(config: Config) -> Kinds:
    """Which layers have experts: one in so many, but not those listed as dense."""
    if not config.has(NUM_EXPERTS):
        return same("dense")
    step = config.count(EXPERT_LAYER_STEP)
    by_step = every(step, "MoE", others="dense", start=step - 1)
    return among(config.counts(DENSE_LAYERS), "dense", others=by_step)


QWEN2 = Family(
    model_type="qwen2",
    title="Qwen2",
    source="https://arxiv.org/abs/2407.10671",
    architectures=("Qwen2ForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 32,
        HEAD_DIM: None,
        FFN_DIM: 22_016,
        USES_WINDOW: False,
        SLIDING_WINDOW: 4096,
        MAX_WINDOW_LAYERS: 28,
        LAYER_TYPES: None,
        VOCAB_SIZE: 151_936,
        TIE_EMBEDDINGS: False,
    },
    compose=qwen2,
    rules=(ATTENTION_HEADS, LISTED_WINDOWS),
    spans=by_layer_types(after_first, window_if_used),
)
QWEN3 = replace(
    QWEN2,
    model_type="qwen3",
    title="Qwen3",
    source="https://arxiv.org/abs/2505.09388",
    architectures=("Qwen3ForCausalLM",),
    defaults={**QWEN2.defaults, HEAD_DIM: 128, ATTENTION_BIAS: False},
    compose=qwen3,
)
QWEN2_MOE = replace(
    QWEN2,
    model_type="qwen2_moe",
    title="Qwen2 MoE",
    architectures=("Qwen2MoeForCausalLM",),
    defaults={
        **QWEN2.defaults,
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 24,
        NUM_HEADS: 16,
        NUM_KV_HEADS: 16,
        FFN_DIM: 5632,
        NUM_EXPERTS: 60,
        EXPERTS_PER_TOKEN: 4,
        EXPERT_DIM: 1408,
        SHARED_EXPERT_DIM: 5632,
        EXPERT_LAYER_STEP: 1,
        DENSE_LAYERS: None,
        QKV_BIAS: True,
    },
    compose=qwen2_moe,
    spans=by_layer_types(in_turn_at_first, window_if_used),
)
QWEN3_MOE = replace(
    QWEN3,
    model_type="qwen3_moe",
    title="Qwen3 MoE",
    architectures=("Qwen3MoeForCausalLM",),
    defaults={
        **QWEN3.defaults,
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 24,
        NUM_KV_HEADS: 4,
        HEAD_DIM: None,
        FFN_DIM: 6144,
        NUM_EXPERTS: 128,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 768,
        EXPERT_LAYER_STEP: 1,
        DENSE_LAYERS: None,
    },
    compose=qwen3_moe,
    spans=with_windows(all_layers, window_if_used),
)

FAMILIES = (QWEN2, QWEN3, QWEN2_MOE, QWEN3_MOE)
