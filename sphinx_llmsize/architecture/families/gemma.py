"""Gemma, Gemma 2 and Gemma 3: a tied head, heads wider than D / H, more norms with each one."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import flag
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.translation import N_

BIDIRECTIONAL = flag(
    "bidirectional_attention",
    N_("tokens attend to those after them too"),
    "use_bidirectional_attention",
)


def gemma(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers of grouped-query attention and a gated MLP."""
    attention = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS))
    return parts.decoder(
        config, parts.pre_norm(parts.rms_norm, attention, parts.gated_mlp()), norm=parts.rms_norm
    )


def gemma2(config: Config) -> tuple[Item, ...]:
    """Norms before and after attention and MLP."""
    attention = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS))
    return parts.decoder(
        config,
        parts.sandwich_norm(parts.rms_norm, attention, parts.gated_mlp()),
        norm=parts.rms_norm,
    )


def gemma3(config: Config) -> tuple[Item, ...]:
    """Gemma 2's block with norms on queries and keys; an encoder, if attention goes both ways."""
    attention = parts.grouped_query_attention(
        bias=config.flag(k.ATTENTION_BIAS), norms=parts.head_norms()
    )
    if config.flag(BIDIRECTIONAL):
        attention = parts.without_cache(attention)
    return parts.decoder(
        config,
        parts.sandwich_norm(parts.rms_norm, attention, parts.gated_mlp()),
        norm=parts.rms_norm,
    )


GEMMA = Family(
    model_type="gemma",
    title="Gemma",
    source="https://arxiv.org/abs/2403.08295",
    architectures=("GemmaForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 3072,
        k.NUM_LAYERS: 28,
        k.NUM_HEADS: 16,
        k.NUM_KV_HEADS: 16,
        k.HEAD_DIM: 256,
        k.FFN_DIM: 24_576,
        k.VOCAB_SIZE: 256_000,
        k.TIE_EMBEDDINGS: True,
        k.ATTENTION_BIAS: False,
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
        k.HIDDEN_DIM: 2304,
        k.NUM_LAYERS: 26,
        k.NUM_HEADS: 8,
        k.NUM_KV_HEADS: 4,
        k.FFN_DIM: 9216,
        k.SLIDING_WINDOW: 4096,
        k.LAYER_TYPES: None,
    },
    compose=gemma2,
    rules=(ATTENTION_HEADS, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.full_every(2)),
)
GEMMA3 = replace(
    GEMMA2,
    model_type="gemma3_text",
    title="Gemma 3",
    source="https://arxiv.org/abs/2503.19786",
    architectures=("Gemma3ForCausalLM",),
    defaults={
        **GEMMA2.defaults,
        k.WINDOW_PATTERN: 6,
        BIDIRECTIONAL: False,
        k.VOCAB_SIZE: 262_208,
    },
    compose=gemma3,
    windows=parts.by_layer_types(parts.by_pattern()),
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
