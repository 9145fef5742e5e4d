"""gpt-oss and Flint: experts behind an attention with a sink for each head."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.qwen import sparse_layers
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import PerLayer, among
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rule import Rule, Settings
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import F, L


def gpt_oss(config: Config) -> tuple[Item, ...]:
    """Experts everywhere; biases on all of them, on the router and on attention."""
    heads = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS), scores=parts.sinks())
    experts = parts.mixture_of_experts(
        parts.gated_experts(width=F, bias=True), router=parts.linear_router(bias=True)
    )
    return parts.decoder(
        config, parts.pre_norm(parts.rms_norm, heads, experts), norm=parts.rms_norm
    )


def flint(config: Config) -> tuple[Item, ...]:
    """Norms on queries and keys; a shared expert; an MLP in the first two layers."""
    heads = parts.grouped_query_attention(
        bias=config.flag(k.ATTENTION_BIAS), norms=parts.head_norms(), scores=parts.sinks()
    )
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=parts.shared_expert())
    return parts.decoder_with_experts(config, heads, experts, sparse_layers(config))


def sliding_layers(config: Config) -> PerLayer[bool]:
    """Three of four, but neither the first two nor the last."""
    edges = (0, 1, config.count(L) - 1)
    return among(edges, False, others=parts.full_every(4, start=1)(config))


def _first_two(settings: Settings) -> Settings:
    return {k.DENSE_LAYERS: (0, 1)}


GPT_OSS = Family(
    model_type="gpt_oss",
    title="gpt-oss",
    source="https://arxiv.org/abs/2508.10925",
    architectures=("GptOssForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 2880,
        k.NUM_LAYERS: 36,
        k.NUM_HEADS: 64,
        k.NUM_KV_HEADS: 8,
        k.HEAD_DIM: 64,
        k.FFN_DIM: 2880,
        k.NUM_EXPERTS: 128,
        k.EXPERTS_PER_TOKEN: 4,
        k.SLIDING_WINDOW: 128,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 201_088,
        k.ATTENTION_BIAS: True,
        k.TIE_EMBEDDINGS: False,
    },
    compose=gpt_oss,
    rules=(ATTENTION_HEADS, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.full_every(2)),
)

FLINT = Family(
    model_type="flint",
    title="Flint",
    source="https://huggingface.co/docs/transformers/model_doc/flint",
    architectures=("FlintForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 2048,
        k.NUM_LAYERS: 49,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: 4,
        k.HEAD_DIM: 128,
        k.FFN_DIM: 6144,
        k.NUM_EXPERTS: 256,
        k.EXPERTS_PER_TOKEN: 6,
        k.EXPERT_DIM: 512,
        k.SHARED_EXPERT_DIM: 1024,
        k.EXPERT_LAYER_STEP: 1,
        k.DENSE_LAYERS: None,
        k.SLIDING_WINDOW: 513,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 150_144,
        k.ATTENTION_BIAS: False,
        k.TIE_EMBEDDINGS: False,
    },
    rules=(ATTENTION_HEADS, Rule(_first_two), k.LISTED_WINDOWS),
    compose=flint,
    windows=parts.by_layer_types(sliding_layers),
)

FAMILIES = (GPT_OSS, FLINT)
