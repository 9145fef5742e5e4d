"""Mistral, Ministral and Mixtral."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F


def mistral(config: Config) -> tuple[Item, ...]:
    """Llama's block without any bias."""
    block = parts.pre_norm(parts.rms_norm, parts.grouped_query_attention(), parts.gated_mlp())
    return parts.decoder(config, block, norm=parts.rms_norm)


def mixtral(config: Config) -> tuple[Item, ...]:
    """Mistral's block with E experts in place of its MLP."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    block = parts.pre_norm(parts.rms_norm, parts.grouped_query_attention(), experts)
    return parts.decoder(config, block, norm=parts.rms_norm)


MISTRAL = Family(
    model_type="mistral",
    title="Mistral",
    source="https://arxiv.org/abs/2310.06825",
    architectures=("MistralForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 32,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: 8,
        k.HEAD_DIM: None,
        k.FFN_DIM: 14_336,
        k.SLIDING_WINDOW: 4096,
        k.VOCAB_SIZE: 32_000,
        k.TIE_EMBEDDINGS: False,
    },
    compose=mistral,
    windows=parts.in_all_layers,
)
MIXTRAL = replace(
    MISTRAL,
    model_type="mixtral",
    title="Mixtral",
    source="https://arxiv.org/abs/2401.04088",
    architectures=("MixtralForCausalLM",),
    defaults={
        **MISTRAL.defaults,
        k.SLIDING_WINDOW: None,
        k.NUM_EXPERTS: 8,
        k.EXPERTS_PER_TOKEN: 2,
    },
    compose=mixtral,
)
MINISTRAL = replace(
    MISTRAL,
    model_type="ministral",
    title="Ministral",
    source="https://huggingface.co/mistralai/Ministral-8B-Instruct-2410",
    architectures=("MinistralForCausalLM",),
    defaults={**MISTRAL.defaults, k.LAYER_TYPES: None},
    rules=(*MISTRAL.rules, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.all_layers),
)
MINISTRAL3 = replace(
    MISTRAL,
    model_type="ministral3",
    title="Ministral 3",
    source="https://huggingface.co/mistralai/Ministral-3-8B-Base-2512",
    architectures=("Ministral3ForCausalLM",),
    defaults={
        **MISTRAL.defaults,
        k.NUM_LAYERS: 34,
        k.HEAD_DIM: 128,
        k.SLIDING_WINDOW: None,
        k.VOCAB_SIZE: 131_072,
    },
)

FAMILIES = (MISTRAL, MIXTRAL, MINISTRAL, MINISTRAL3)
