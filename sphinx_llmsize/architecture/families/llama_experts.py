"""Llama's layers with experts in place of the MLP: Aria, Mellum, Solar Open."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.qwen import normed_attention
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import same
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import F


def aria(config: Config) -> tuple[Item, ...]:
    """Llama's attention; experts in every layer."""
    attention = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS))
    experts = parts.experts_and_shared(config, width=F, shared_bias=config.flag(k.MLP_BIAS))
    return parts.decoder_with_experts(config, attention, experts, same(parts.MOE))


def solar_open(config: Config) -> tuple[Item, ...]:
    """Experts in every layer; the output projection never has a bias."""
    attention = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS), output_bias=False)
    return parts.decoder_with_experts(
        config, attention, parts.experts_and_shared(config), same(parts.MOE)
    )


def mellum(config: Config) -> tuple[Item, ...]:
    """Qwen3's attention; experts in every layer unless told, none of them shared."""
    experts = parts.mixture_of_experts(parts.gated_experts())
    kinds = parts.ffn_kinds(config, same(parts.MOE))
    return parts.decoder_with_experts(config, normed_attention(config), experts, kinds)


ARIA = Family(
    model_type="aria_text",
    title="Aria (text decoder)",
    source="https://arxiv.org/abs/2410.05993",
    architectures=("AriaTextForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 32,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: None,
        k.HEAD_DIM: None,
        k.FFN_DIM: 4096,
        k.NUM_EXPERTS: 8,
        k.EXPERTS_PER_TOKEN: 2,
        k.NUM_SHARED_EXPERTS: 2,
        k.VOCAB_SIZE: 32_000,
        k.ATTENTION_BIAS: False,
        k.MLP_BIAS: False,
        k.TIE_EMBEDDINGS: False,
    },
    compose=aria,
)

SOLAR_OPEN = Family(
    model_type="solar_open",
    title="Solar Open",
    source="https://huggingface.co/upstage/Solar-Open-100B",
    architectures=("SolarOpenForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 48,
        k.NUM_HEADS: 64,
        k.NUM_KV_HEADS: 8,
        k.HEAD_DIM: 128,
        k.NUM_EXPERTS: 128,
        k.EXPERTS_PER_TOKEN: 8,
        k.EXPERT_DIM: 1280,
        k.NUM_SHARED_EXPERTS: 1,
        k.VOCAB_SIZE: 196_608,
        k.ATTENTION_BIAS: False,
        k.TIE_EMBEDDINGS: False,
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
        k.HIDDEN_DIM: 2304,
        k.NUM_LAYERS: 28,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: 4,
        k.HEAD_DIM: 128,
        k.FFN_DIM: 7168,
        k.NUM_EXPERTS: 64,
        k.EXPERTS_PER_TOKEN: 8,
        k.EXPERT_DIM: 896,
        k.FFN_LAYER_TYPES: None,
        k.SLIDING_WINDOW: 1024,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 98_304,
        k.ATTENTION_BIAS: False,
        k.TIE_EMBEDDINGS: False,
        k.NEXT_TOKEN_LAYERS: None,
    },
    rules=(ATTENTION_HEADS, k.one_for_each_layer(k.FFN_LAYER_TYPES), k.LISTED_WINDOWS),
    compose=mellum,
    notes=(NEXT_TOKEN_NOTE,),
    windows=parts.by_layer_types(parts.no_layer),
)

FAMILIES = (ARIA, SOLAR_OPEN, MELLUM)
