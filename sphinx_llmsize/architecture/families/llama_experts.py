"""Llama's layers with experts in place of the MLP: Aria, Mellum, Solar Open."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.qwen import normed_attention
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import same
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.experts import gated_experts, mixture_of_experts
from sphinx_llmsize.architecture.parts.layer_kinds import ffn_kinds
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts, experts_and_shared
from sphinx_llmsize.architecture.parts.windows import by_layer_types, no_layer
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
)
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    MLP_BIAS,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
)
from sphinx_llmsize.config.windows import LISTED_WINDOWS, SLIDING_WINDOW


def aria(config: Config) -> tuple[Item, ...]:
    """Llama's attention; experts in every layer."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    experts = experts_and_shared(config, width=F, shared_bias=config.flag(MLP_BIAS))
    return decoder_with_experts(config, attention, experts, same("MoE"))


def solar_open(config: Config) -> tuple[Item, ...]:
    """Experts in every layer; the output projection never has a bias."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), output_bias=False)
    return decoder_with_experts(config, attention, experts_and_shared(config), same("MoE"))


def mellum(config: Config) -> tuple[Item, ...]:
    """Qwen3's attention; experts in every layer unless told, none of them shared."""
    experts = mixture_of_experts(gated_experts())
    kinds = ffn_kinds(config, same("MoE"))
    return decoder_with_experts(config, normed_attention(config), experts, kinds)


ARIA = Family(
    model_type="aria_text",
    title="Aria (text decoder)",
    source="https://arxiv.org/abs/2410.05993",
    architectures=("AriaTextForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 4096,
        NUM_EXPERTS: 8,
        EXPERTS_PER_TOKEN: 2,
        NUM_SHARED_EXPERTS: 2,
        VOCAB_SIZE: 32_000,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    compose=aria,
)

SOLAR_OPEN = Family(
    model_type="solar_open",
    title="Solar Open",
    source="https://huggingface.co/upstage/Solar-Open-100B",
    architectures=("SolarOpenForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 48,
        NUM_HEADS: 64,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 128,
        NUM_EXPERTS: 128,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 1280,
        NUM_SHARED_EXPERTS: 1,
        VOCAB_SIZE: 196_608,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    compose=solar_open,
    notes=(CORRECTION_BIAS_NOTE,),
)

MELLUM = Family(
    model_type="mellum",
    title="Mellum 2",
    source="https://huggingface.co/docs/transformers/model_doc/mellum",
    architectures=("MellumForCausalLM",),
    defaults={
        HIDDEN_DIM: 2304,
        NUM_LAYERS: 28,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 4,
        HEAD_DIM: 128,
        FFN_DIM: 7168,
        NUM_EXPERTS: 64,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 896,
        FFN_LAYER_TYPES: None,
        SLIDING_WINDOW: 1024,
        LAYER_TYPES: None,
        VOCAB_SIZE: 98_304,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(FFN_LAYER_TYPES), LISTED_WINDOWS),
    compose=mellum,
    notes=(NEXT_TOKEN_NOTE,),
    spans=by_layer_types(no_layer),
)

FAMILIES = (ARIA, SOLAR_OPEN, MELLUM)
