"""Llama 4: one routed expert and a shared one, in every layer or in every second."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, among, every
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts
from sphinx_llmsize.architecture.parts.windows import by_layer_types, rotary_layers, tokens_of
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERT_LAYER_STEP,
    EXPERTS_PER_TOKEN,
    F_E,
    NUM_EXPERTS,
)
from sphinx_llmsize.config.key import Key, Kind
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
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)
from sphinx_llmsize.config.windows import (
    ATTENTION_CHUNK,
    LISTED_WINDOWS,
    NO_ROPE_INTERVAL,
    ROTARY_LAYERS,
)

EXPERT_LAYERS = Key(
    "expert_layer_numbers",
    "numbers of the layers that have experts, from 0",
    ("moe_layers",),
    Kind.LAYERS,
    optional=True,
)


def llama4(config: Config) -> tuple[Item, ...]:
    """Layers with experts and, beside them, a shared one of the same width."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    experts = mixture_of_experts(gated_experts(), shared=shared_expert(width=F_E))
    return decoder_with_experts(config, attention, experts, ffn_kinds(config))


def ffn_kinds(config: Config) -> Kinds:
    """Layers with experts: as ``moe_layers`` lists them, else the last of every few."""
    if config[EXPERT_LAYERS] is not None:
        return among(config.counts(EXPERT_LAYERS), "MoE", others="dense")
    step = config.count(EXPERT_LAYER_STEP)
    return every(step, "MoE", others="dense", start=step - 1)


LLAMA4 = Family(
    model_type="llama4_text",
    title="Llama 4",
    source="https://huggingface.co/docs/transformers/model_doc/llama4",
    architectures=("Llama4ForCausalLM",),
    defaults={
        HIDDEN_DIM: 5120,
        NUM_LAYERS: 48,
        NUM_HEADS: 40,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 128,
        FFN_DIM: 16_384,
        NUM_EXPERTS: 16,
        EXPERTS_PER_TOKEN: 1,
        EXPERT_DIM: 8192,
        EXPERT_LAYER_STEP: 1,
        EXPERT_LAYERS: None,
        ATTENTION_CHUNK: 8192,
        ROTARY_LAYERS: None,
        NO_ROPE_INTERVAL: 4,
        LAYER_TYPES: None,
        VOCAB_SIZE: 202_048,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
    },
    compose=llama4,
    names={"intermediate_size": EXPERT_DIM, "intermediate_size_mlp": FFN_DIM},
    rules=(ATTENTION_HEADS, LISTED_WINDOWS),
    spans=by_layer_types(rotary_layers, tokens_of(ATTENTION_CHUNK)),
)

FAMILIES = (LLAMA4,)
