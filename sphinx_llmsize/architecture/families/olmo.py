"""OLMo, OLMo 2, OLMo 3 and, with experts, OLMoE and FlexOlmo."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    grouped_query_attention,
)
from sphinx_llmsize.architecture.parts.blocks import post_norm, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import gated_experts, mixture_of_experts
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import head_norms, plain_norm, rms_norm
from sphinx_llmsize.architecture.parts.windows import by_layer_types, full_every
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import EXPERTS_PER_TOKEN, NUM_EXPERTS
from sphinx_llmsize.config.layer_types import LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS, heads_fill_hidden
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
)
from sphinx_llmsize.config.windows import LISTED_WINDOWS, SLIDING_WINDOW


def olmo(config: Config) -> tuple[Item, ...]:
    """Llama's block with norms that have no weights."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    return decoder(config, pre_norm(plain_norm, attention, gated_mlp()), norm=plain_norm)


def olmo2(config: Config) -> tuple[Item, ...]:
    """Norms after attention and MLP, and on all queries and all keys together."""
    return decoder(
        config, post_norm(rms_norm, jointly_normed_attention(config), gated_mlp()), norm=rms_norm
    )


def olmoe(config: Config) -> tuple[Item, ...]:
    """Norms before attention and experts."""
    experts = mixture_of_experts(gated_experts(width=F))
    return decoder(
        config, pre_norm(rms_norm, jointly_normed_attention(config), experts), norm=rms_norm
    )


def flex_olmo(config: Config) -> tuple[Item, ...]:
    """OLMo 2's block with experts in place of its MLP."""
    experts = mixture_of_experts(gated_experts(width=F))
    return decoder(
        config, post_norm(rms_norm, jointly_normed_attention(config), experts), norm=rms_norm
    )


def jointly_normed_attention(config: Config) -> Block:
    """One norm for the queries of all heads, one for their keys."""
    norms = head_norms(query=QUERY_WIDTH, key=KEY_WIDTH)
    return grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=norms)


OLMO = Family(
    model_type="olmo",
    title="OLMo",
    source="https://arxiv.org/abs/2402.00838",
    architectures=("OlmoForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 11_008,
        VOCAB_SIZE: 50_304,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    compose=olmo,
)
OLMO2 = replace(
    OLMO,
    model_type="olmo2",
    title="OLMo 2",
    source="https://arxiv.org/abs/2501.00656",
    architectures=("Olmo2ForCausalLM",),
    compose=olmo2,
)
OLMO3 = replace(
    OLMO2,
    model_type="olmo3",
    title="OLMo 3",
    source="https://huggingface.co/docs/transformers/model_doc/olmo3",
    architectures=("Olmo3ForCausalLM",),
    defaults={**OLMO2.defaults, SLIDING_WINDOW: 4096, LAYER_TYPES: None},
    rules=(*OLMO2.rules, LISTED_WINDOWS),
    spans=by_layer_types(full_every(4)),
)
OLMOE = replace(
    OLMO,
    model_type="olmoe",
    title="OLMoE",
    source="https://arxiv.org/abs/2409.02060",
    architectures=("OlmoeForCausalLM",),
    defaults={
        **OLMO.defaults,
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 16,
        NUM_HEADS: 16,
        FFN_DIM: 2048,
        NUM_EXPERTS: 64,
        EXPERTS_PER_TOKEN: 8,
    },
    rules=(ATTENTION_HEADS, heads_fill_hidden()),
    compose=olmoe,
)
FLEX_OLMO = replace(
    OLMO,
    model_type="flex_olmo",
    title="FlexOlmo",
    source="https://arxiv.org/abs/2507.07024",
    architectures=("FlexOlmoForCausalLM",),
    defaults={**OLMO.defaults, VOCAB_SIZE: 100_352, NUM_EXPERTS: 7, EXPERTS_PER_TOKEN: 5},
    compose=flex_olmo,
)

FAMILIES = (OLMO, OLMO2, OLMO3, OLMOE, FLEX_OLMO)
