"""Gemma, Gemma 2 and Gemma 3: a tied head, heads wider than D / H, more norms with each one."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import keeping_nothing, pre_norm, sandwich_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.parts.windows import by_layer_types, by_pattern, full_every
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import flag
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
from sphinx_llmsize.config.windows import LISTED_WINDOWS, SLIDING_WINDOW, WINDOW_PATTERN

BIDIRECTIONAL = flag(
    "bidirectional_attention",
    "tokens attend to those after them too",
    "use_bidirectional_attention",
)


def gemma(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers of grouped-query attention and a gated MLP."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    return decoder(config, pre_norm(rms_norm, attention, gated_mlp()), norm=rms_norm)


def gemma2(config: Config) -> tuple[Item, ...]:
    """Norms before and after attention and MLP."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    return decoder(config, sandwich_norm(rms_norm, attention, gated_mlp()), norm=rms_norm)


def gemma3(config: Config) -> tuple[Item, ...]:
    """Gemma 2's block with norms on queries and keys; an encoder, if attention goes both ways."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=head_norms())
    if config.flag(BIDIRECTIONAL):
        attention = keeping_nothing(attention)
    return decoder(config, sandwich_norm(rms_norm, attention, gated_mlp()), norm=rms_norm)


GEMMA = Family(
    model_type="gemma",
    title="Gemma",
    source="https://arxiv.org/abs/2403.08295",
    architectures=("GemmaForCausalLM",),
    defaults={
        HIDDEN_DIM: 3072,
        NUM_LAYERS: 28,
        NUM_HEADS: 16,
        NUM_KV_HEADS: 16,
        HEAD_DIM: 256,
        FFN_DIM: 24_576,
        VOCAB_SIZE: 256_000,
        TIE_EMBEDDINGS: True,
        ATTENTION_BIAS: False,
    },
    compose=gemma,
)
GEMMA2 = replace(
    GEMMA,
    model_type="gemma2",
    title="Gemma 2",
    source="https://arxiv.org/abs/2408.00118",
    architectures=("Gemma2ForCausalLM",),
    defaults={
        **GEMMA.defaults,
        HIDDEN_DIM: 2304,
        NUM_LAYERS: 26,
        NUM_HEADS: 8,
        NUM_KV_HEADS: 4,
        FFN_DIM: 9216,
        SLIDING_WINDOW: 4096,
        LAYER_TYPES: None,
    },
    compose=gemma2,
    rules=(ATTENTION_HEADS, LISTED_WINDOWS),
    spans=by_layer_types(full_every(2)),
)
GEMMA3 = replace(
    GEMMA2,
    model_type="gemma3_text",
    title="Gemma 3",
    source="https://arxiv.org/abs/2503.19786",
    architectures=("Gemma3ForCausalLM",),
    defaults={
        **GEMMA2.defaults,
        WINDOW_PATTERN: 6,
        BIDIRECTIONAL: False,
        VOCAB_SIZE: 262_208,
    },
    compose=gemma3,
    spans=by_layer_types(by_pattern()),
)
VAULTGEMMA = replace(
    GEMMA2,
    model_type="vaultgemma",
    title="VaultGemma",
    source="https://huggingface.co/docs/transformers/model_doc/vaultgemma",
    architectures=("VaultGemmaForCausalLM",),
    compose=gemma,
)

FAMILIES = (GEMMA, GEMMA2, GEMMA3, VAULTGEMMA)
