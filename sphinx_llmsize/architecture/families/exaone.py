"""EXAONE 4.0, with norms after attention and MLP, and K-EXAONE, with experts."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import post_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.layer_kinds import ffn_kinds, first_dense
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts, experts_and_shared
from sphinx_llmsize.architecture.parts.windows import by_layer_types, by_pattern
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    FIRST_DENSE_LAYERS,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
)
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer
from sphinx_llmsize.config.vocabulary import (
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


def exaone4(config: Config) -> tuple[Item, ...]:
    """Post-norm layers; sliding windows in three of four change no weights."""
    attention = grouped_query_attention(norms=head_norms())
    return decoder(config, post_norm(rms_norm, attention, gated_mlp()), norm=rms_norm)


def exaone_moe(config: Config) -> tuple[Item, ...]:
    """Norms on queries and keys; the first layers dense."""
    kinds = ffn_kinds(config, first_dense(config))
    attention = grouped_query_attention(norms=head_norms())
    return decoder_with_experts(config, attention, experts_and_shared(config), kinds)


EXAONE4 = Family(
    model_type="exaone4",
    title="EXAONE 4.0",
    source="https://arxiv.org/abs/2507.11407",
    architectures=("Exaone4ForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 32,
        HEAD_DIM: None,
        FFN_DIM: 16_384,
        SLIDING_WINDOW: 4096,
        WINDOW_PATTERN: 4,
        LAYER_TYPES: None,
        VOCAB_SIZE: 102_400,
        TIE_EMBEDDINGS: False,
    },
    compose=exaone4,
    rules=(ATTENTION_HEADS, LISTED_WINDOWS),
    spans=by_layer_types(by_pattern()),
)

EXAONE_MOE = Family(
    model_type="exaone_moe",
    title="K-EXAONE",
    source="https://huggingface.co/LGAI-EXAONE/K-EXAONE-236B-A23B",
    architectures=("ExaoneMoeForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 32,
        HEAD_DIM: None,
        FFN_DIM: 16_384,
        NUM_EXPERTS: 64,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 1024,
        NUM_SHARED_EXPERTS: 1,
        FIRST_DENSE_LAYERS: 1,
        FFN_LAYER_TYPES: None,
        SLIDING_WINDOW: 4096,
        WINDOW_PATTERN: 4,
        LAYER_TYPES: None,
        VOCAB_SIZE: 102_400,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(FFN_LAYER_TYPES), LISTED_WINDOWS),
    compose=exaone_moe,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
    spans=by_layer_types(by_pattern()),
)

FAMILIES = (EXAONE4, EXAONE_MOE)
