"""Experts behind plain attention, mostly with shared ones: Aria, ERNIE 4.5, K-EXAONE and others."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.deepseek import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.families.qwen import normed_attention
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, every, first, same
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.experts import (
    corrected_router,
    gated_experts,
    mixture_of_experts,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import head_norms
from sphinx_llmsize.architecture.parts.sparse_layers import (
    decoder_with_experts,
    experts_and_shared,
    ffn_kinds,
)
from sphinx_llmsize.architecture.pieces import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERT_LAYER_STEP,
    EXPERTS_PER_TOKEN,
    FIRST_DENSE_LAYERS,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
)
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.layer_keys import FFN_LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    BIAS,
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
    L,
)

FIRST_EXPERT_LAYER = Key(
    "first_expert_layer",
    "number of the first layer that may have experts, from 0",
    ("moe_layer_start_index",),
    Kind.WHOLE,
)
LAST_EXPERT_LAYER = Key(
    "last_expert_layer",
    "number of the last layer that may have experts, from 0, or -1 for the model's last",
    ("moe_layer_end_index",),
    Kind.LAYER,
)


def aria(config: Config) -> tuple[Item, ...]:
    """Llama's attention; experts in every layer."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    experts = experts_and_shared(config, width=F, shared_bias=config.flag(MLP_BIAS))
    return decoder_with_experts(config, attention, experts, same("MoE"))


def solar_open(config: Config) -> tuple[Item, ...]:
    """Experts in every layer; the output projection never has a bias."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), output_bias=False)
    return decoder_with_experts(config, attention, experts_and_shared(config), same("MoE"))


def ernie(config: Config) -> tuple[Item, ...]:
    """Biases everywhere or nowhere; the router's correction bias is a parameter."""
    bias = config.flag(BIAS)
    return decoder_with_experts(
        config,
        grouped_query_attention(bias=bias),
        experts_and_shared(config, shared_bias=bias, router=corrected_router()),
        ernie_kinds(config),
        dense=gated_mlp(bias=bias),
        head_bias=bias,
    )


def ernie_kinds(config: Config) -> Kinds:
    """Experts in one layer of so many, from the first to the last that may have them."""
    step, earliest = config.count(EXPERT_LAYER_STEP), config.count(FIRST_EXPERT_LAYER)
    last = config.count(LAST_EXPERT_LAYER)
    start = earliest + -(earliest + 1) % step
    stop = config.count(L) if last == -1 else last + 1
    return every(step, "MoE", others="dense", start=start, stop=stop)


def exaone_moe(config: Config) -> tuple[Item, ...]:
    """Norms on queries and keys; the first layers dense."""
    kinds = ffn_kinds(config, first(config.count(FIRST_DENSE_LAYERS), "dense", then="MoE"))
    attention = grouped_query_attention(norms=head_norms())
    return decoder_with_experts(config, attention, experts_and_shared(config), kinds)


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
ERNIE = Family(
    model_type="ernie4_5_moe",
    title="ERNIE 4.5",
    source="https://huggingface.co/baidu/ERNIE-4.5-21B-A3B-PT",
    architectures=("Ernie4_5_MoeForCausalLM",),
    defaults={
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 28,
        NUM_HEADS: 20,
        NUM_KV_HEADS: 4,
        HEAD_DIM: None,
        FFN_DIM: 12_288,
        NUM_EXPERTS: 64,
        EXPERTS_PER_TOKEN: 6,
        EXPERT_DIM: 1536,
        NUM_SHARED_EXPERTS: 2,
        EXPERT_LAYER_STEP: 1,
        FIRST_EXPERT_LAYER: 1,
        LAST_EXPERT_LAYER: -1,
        VOCAB_SIZE: 103_424,
        BIAS: False,
        TIE_EMBEDDINGS: True,
        NEXT_TOKEN_LAYERS: None,
    },
    compose=ernie,
    notes=(NEXT_TOKEN_NOTE,),
)
EXAONE_MOE = Family(
    model_type="exaone_moe",
    title="K-EXAONE",
    source="https://huggingface.co/LGAI-EXAONE/K-EXAONE-236B-A23B",
    architectures=("ExaoneMoeForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 32,
        HEAD_DIM: None,
        FFN_DIM: 16_384,
        NUM_EXPERTS: 64,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 1024,
        NUM_SHARED_EXPERTS: 1,
        FIRST_DENSE_LAYERS: 1,
        FFN_LAYER_TYPES: None,
        VOCAB_SIZE: 102_400,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(FFN_LAYER_TYPES)),
    compose=exaone_moe,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
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
        VOCAB_SIZE: 98_304,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(FFN_LAYER_TYPES)),
    compose=mellum,
    notes=(NEXT_TOKEN_NOTE,),
)

FAMILIES = (ARIA, SOLAR_OPEN, ERNIE, EXAONE_MOE, MELLUM)
