"""Granite: Llama's block, with sinks or experts in some of its versions."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family, without
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention, sinks
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.windows import by_layer_types, full_every
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import EXPERTS_PER_TOKEN, NUM_EXPERTS, SHARED_EXPERT_DIM
from sphinx_llmsize.config.layer_types import LAYER_TYPES
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


def granite(config: Config) -> tuple[Item, ...]:
    """Llama's block; its multipliers are no weights."""
    return _decoder(config, gated_mlp(bias=config.flag(MLP_BIAS)))


def granite_swa(config: Config) -> tuple[Item, ...]:
    """Sliding windows in some layers, sinks in all of them."""
    return _decoder(config, gated_mlp(bias=config.flag(MLP_BIAS)), sinks())


def granite_moe(config: Config) -> tuple[Item, ...]:
    """Experts in place of the MLP."""
    return _decoder(config, mixture_of_experts(gated_experts(width=F)))


def granite_moe_shared(config: Config) -> tuple[Item, ...]:
    """A shared expert beside the others, if it has a width."""
    return _decoder(config, _experts(config))


def granite_moe_swa(config: Config) -> tuple[Item, ...]:
    """The same with sinks."""
    return _decoder(config, _experts(config), sinks())


def _decoder(
    config: Config, feed_forward: Block, scores: tuple[Tensor, ...] = ()
) -> tuple[Item, ...]:
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), scores=scores)
    return decoder(config, pre_norm(rms_norm, attention, feed_forward), norm=rms_norm)


def _experts(config: Config) -> Block:
    shared = shared_expert() if config.has(SHARED_EXPERT_DIM) else ()
    return mixture_of_experts(gated_experts(width=F), shared=shared)


GRANITE = Family(
    model_type="granite",
    title="Granite",
    source="https://arxiv.org/abs/2408.13359",
    architectures=("GraniteForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 11_008,
        VOCAB_SIZE: 32_000,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    compose=granite,
)
GRANITE_SWA = replace(
    GRANITE,
    model_type="granite_swa",
    title="Granite SWA",
    source="https://huggingface.co/docs/transformers/model_doc/granite_swa",
    architectures=("GraniteSWAForCausalLM",),
    defaults={
        **GRANITE.defaults,
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 24,
        NUM_HEADS: 20,
        NUM_KV_HEADS: 4,
        FFN_DIM: 8192,
        SLIDING_WINDOW: 128,
        LAYER_TYPES: None,
        VOCAB_SIZE: 100_352,
        TIE_EMBEDDINGS: True,
    },
    compose=granite_swa,
    rules=(*GRANITE.rules, LISTED_WINDOWS),
    spans=by_layer_types(full_every(4, start=0)),
)
GRANITE_MOE = replace(
    GRANITE,
    model_type="granitemoe",
    title="Granite MoE",
    architectures=("GraniteMoeForCausalLM",),
    defaults={
        **without(GRANITE.defaults, MLP_BIAS),
        NUM_EXPERTS: 8,
        EXPERTS_PER_TOKEN: 2,
    },
    compose=granite_moe,
)
GRANITE_MOE_SHARED = replace(
    GRANITE_MOE,
    model_type="granitemoeshared",
    title="Granite MoE with a shared expert",
    source="https://huggingface.co/docs/transformers/model_doc/granitemoeshared",
    architectures=("GraniteMoeSharedForCausalLM",),
    defaults={**GRANITE_MOE.defaults, SHARED_EXPERT_DIM: 0},
    compose=granite_moe_shared,
)
GRANITE_MOE_SWA = replace(
    GRANITE_MOE_SHARED,
    model_type="granitemoe_swa",
    title="Granite MoE SWA",
    source="https://huggingface.co/docs/transformers/model_doc/granitemoe_swa",
    architectures=("GraniteMoeSWAForCausalLM",),
    defaults={**GRANITE_MOE_SHARED.defaults, SLIDING_WINDOW: 128, LAYER_TYPES: None},
    rules=(*GRANITE_MOE_SHARED.rules, LISTED_WINDOWS),
    compose=granite_moe_swa,
    spans=by_layer_types(full_every(4, start=0)),
)

FAMILIES = (GRANITE, GRANITE_SWA, GRANITE_MOE, GRANITE_MOE_SHARED, GRANITE_MOE_SWA)
