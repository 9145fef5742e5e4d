"""gpt-oss and Flint: experts behind an attention with a sink for each head."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.qwen import sparse_layers
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, among
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention, sinks
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    linear_router,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts
from sphinx_llmsize.architecture.parts.windows import by_layer_types, full_every
from sphinx_llmsize.architecture.stacks import Item
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
from sphinx_llmsize.config.rules import ATTENTION_HEADS, Rule, Settings
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
    F,
    L,
)
from sphinx_llmsize.config.windows import LISTED_WINDOWS, SLIDING_WINDOW


def gpt_oss(config: Config) -> tuple[Item, ...]:
    """Experts everywhere; biases on all of them, on the router and on attention."""
    heads = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), scores=sinks())
    experts = mixture_of_experts(gated_experts(width=F, bias=True), router=linear_router(bias=True))
    return decoder(config, pre_norm(rms_norm, heads, experts), norm=rms_norm)


def flint(config: Config) -> tuple[Item, ...]:
    """Norms on queries and keys; a shared expert; an MLP in the first two layers."""
    heads = grouped_query_attention(
        bias=config.flag(ATTENTION_BIAS), norms=head_norms(), scores=sinks()
    )
    experts = mixture_of_experts(gated_experts(), shared=shared_expert())
    return decoder_with_experts(config, heads, experts, sparse_layers(config))


def sliding_layers(config: Config) -> Kinds:
    """Three of four, but neither the first two nor the last."""
    edges = (0, 1, config.count(L) - 1)
    return among(edges, False, others=full_every(4, start=1)(config))


def _first_two(settings: Settings) -> Settings:
    return {DENSE_LAYERS: (0, 1)}


GPT_OSS = Family(
    model_type="gpt_oss",
    title="gpt-oss",
    source="https://arxiv.org/abs/2508.10925",
    architectures=("GptOssForCausalLM",),
    defaults={
        HIDDEN_DIM: 2880,
        NUM_LAYERS: 36,
        NUM_HEADS: 64,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 64,
        FFN_DIM: 2880,
        NUM_EXPERTS: 128,
        EXPERTS_PER_TOKEN: 4,
        SLIDING_WINDOW: 128,
        LAYER_TYPES: None,
        VOCAB_SIZE: 201_088,
        ATTENTION_BIAS: True,
        TIE_EMBEDDINGS: False,
    },
    compose=gpt_oss,
    rules=(ATTENTION_HEADS, LISTED_WINDOWS),
    spans=by_layer_types(full_every(2)),
)

FLINT = Family(
    model_type="flint",
    title="Flint",
    source="https://huggingface.co/docs/transformers/model_doc/flint",
    architectures=("FlintForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 49,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 4,
        HEAD_DIM: 128,
        FFN_DIM: 6144,
        NUM_EXPERTS: 256,
        EXPERTS_PER_TOKEN: 6,
        EXPERT_DIM: 512,
        SHARED_EXPERT_DIM: 1024,
        EXPERT_LAYER_STEP: 1,
        DENSE_LAYERS: None,
        SLIDING_WINDOW: 513,
        LAYER_TYPES: None,
        VOCAB_SIZE: 150_144,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    rules=(ATTENTION_HEADS, Rule(_first_two), LISTED_WINDOWS),
    compose=flint,
    spans=by_layer_types(sliding_layers),
)

FAMILIES = (GPT_OSS, FLINT)
