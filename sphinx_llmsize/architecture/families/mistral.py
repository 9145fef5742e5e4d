"""Mistral, Ministral and Mixtral."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import gated_experts, mixture_of_experts
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.windows import all_layers, by_layer_types, in_all_layers
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import EXPERTS_PER_TOKEN, NUM_EXPERTS
from sphinx_llmsize.config.layer_types import LAYER_TYPES
from sphinx_llmsize.config.vocabulary import (
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
)
from sphinx_llmsize.config.windows import LISTED_WINDOWS, SLIDING_WINDOW


def mistral(config: Config) -> tuple[Item, ...]:
    """Llama's block without any bias."""
    block = pre_norm(rms_norm, grouped_query_attention(), gated_mlp())
    return decoder(config, block, norm=rms_norm)


def mixtral(config: Config) -> tuple[Item, ...]:
    """Mistral's block with E experts in place of its MLP."""
    experts = mixture_of_experts(gated_experts(width=F))
    block = pre_norm(rms_norm, grouped_query_attention(), experts)
    return decoder(config, block, norm=rms_norm)


MISTRAL = Family(
    model_type="mistral",
    title="Mistral",
    source="https://arxiv.org/abs/2310.06825",
    architectures=("MistralForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 8,
        HEAD_DIM: None,
        FFN_DIM: 14_336,
        SLIDING_WINDOW: 4096,
        VOCAB_SIZE: 32_000,
        TIE_EMBEDDINGS: False,
    },
    compose=mistral,
    spans=in_all_layers,
)
MIXTRAL = replace(
    MISTRAL,
    model_type="mixtral",
    title="Mixtral",
    source="https://arxiv.org/abs/2401.04088",
    architectures=("MixtralForCausalLM",),
    defaults={
        **MISTRAL.defaults,
        SLIDING_WINDOW: None,
        NUM_EXPERTS: 8,
        EXPERTS_PER_TOKEN: 2,
    },
    compose=mixtral,
)
MINISTRAL = replace(
    MISTRAL,
    model_type="ministral",
    title="Ministral",
    source="https://huggingface.co/mistralai/Ministral-8B-Instruct-2410",
    architectures=("MinistralForCausalLM",),
    defaults={**MISTRAL.defaults, LAYER_TYPES: None},
    rules=(*MISTRAL.rules, LISTED_WINDOWS),
    spans=by_layer_types(all_layers),
)
MINISTRAL3 = replace(
    MISTRAL,
    model_type="ministral3",
    title="Ministral 3",
    source="https://huggingface.co/mistralai/Ministral-3-8B-Base-2512",
    architectures=("Ministral3ForCausalLM",),
    defaults={
        **MISTRAL.defaults,
        NUM_LAYERS: 34,
        HEAD_DIM: 128,
        SLIDING_WINDOW: None,
        VOCAB_SIZE: 131_072,
    },
)

FAMILIES = (MISTRAL, MIXTRAL, MINISTRAL, MINISTRAL3)
