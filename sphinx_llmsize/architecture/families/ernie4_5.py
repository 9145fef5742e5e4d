"""ERNIE 4.5, dense and with experts: biases everywhere or nowhere."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, every
from sphinx_llmsize.architecture.notes import NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import corrected_router
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts, experts_and_shared
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERT_LAYER_STEP,
    EXPERTS_PER_TOKEN,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
)
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.vocabulary import (
    BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
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


def ernie4_5(config: Config) -> tuple[Item, ...]:
    """Llama's block with all biases or none."""
    bias = config.flag(BIAS)
    block = pre_norm(rms_norm, grouped_query_attention(bias=bias), gated_mlp(bias=bias))
    return decoder(config, block, norm=rms_norm)


def ernie4_5_moe(config: Config) -> tuple[Item, ...]:
    """Biases everywhere or nowhere; the router's correction bias is a parameter."""
    bias = config.flag(BIAS)
    return decoder_with_experts(
        config,
        grouped_query_attention(bias=bias),
        experts_and_shared(config, shared_bias=bias, router=corrected_router()),
        expert_kinds(config),
        dense=gated_mlp(bias=bias),
        head_bias=bias,
    )


def expert_kinds(config: Config) -> Kinds:
    """Experts in one layer of so many, from the first to the last that may have them."""
    step, earliest = config.count(EXPERT_LAYER_STEP), config.count(FIRST_EXPERT_LAYER)
    last = config.count(LAST_EXPERT_LAYER)
    start = earliest + -(earliest + 1) % step
    stop = config.count(L) if last == -1 else last + 1
    return every(step, "MoE", others="dense", start=start, stop=stop)


ERNIE_4_5 = Family(
    model_type="ernie4_5",
    title="ERNIE 4.5 (dense)",
    source="https://huggingface.co/baidu/ERNIE-4.5-0.3B-PT",
    architectures=("Ernie4_5ForCausalLM",),
    defaults={
        HIDDEN_DIM: 1024,
        NUM_LAYERS: 18,
        NUM_HEADS: 16,
        NUM_KV_HEADS: 2,
        HEAD_DIM: 128,
        FFN_DIM: 3072,
        VOCAB_SIZE: 103_424,
        TIE_EMBEDDINGS: True,
        BIAS: False,
    },
    compose=ernie4_5,
)

ERNIE_4_5_MOE = Family(
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
    compose=ernie4_5_moe,
    notes=(NEXT_TOKEN_NOTE,),
)

FAMILIES = (ERNIE_4_5, ERNIE_4_5_MOE)
