"""EXAONE 4.0, with norms after attention and MLP, and K-EXAONE, with experts."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS


def exaone4(config: Config) -> tuple[Item, ...]:
    """Post-norm layers; sliding windows in three of four change no weights."""
    attention = parts.grouped_query_attention(norms=parts.head_norms())
    return parts.decoder(
        config, parts.post_norm(parts.rms_norm, attention, parts.gated_mlp()), norm=parts.rms_norm
    )


def exaone_moe(config: Config) -> tuple[Item, ...]:
    """Norms on queries and keys; the first layers dense."""
    kinds = parts.ffn_kinds(config, parts.first_dense(config))
    attention = parts.grouped_query_attention(norms=parts.head_norms())
    return parts.decoder_with_experts(config, attention, parts.experts_and_shared(config), kinds)


EXAONE4 = Family(
    model_type="exaone4",
    title="EXAONE 4.0",
    source="https://arxiv.org/abs/2507.11407",
    architectures=("Exaone4ForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 32,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: 32,
        k.HEAD_DIM: None,
        k.FFN_DIM: 16_384,
        k.SLIDING_WINDOW: 4096,
        k.WINDOW_PATTERN: 4,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 102_400,
        k.TIE_EMBEDDINGS: False,
    },
    compose=exaone4,
    rules=(ATTENTION_HEADS, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.by_pattern()),
)

EXAONE_MOE = Family(
    model_type="exaone_moe",
    title="K-EXAONE",
    source="https://huggingface.co/LGAI-EXAONE/K-EXAONE-236B-A23B",
    architectures=("ExaoneMoeForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 32,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: 32,
        k.HEAD_DIM: None,
        k.FFN_DIM: 16_384,
        k.NUM_EXPERTS: 64,
        k.EXPERTS_PER_TOKEN: 8,
        k.EXPERT_DIM: 1024,
        k.NUM_SHARED_EXPERTS: 1,
        k.FIRST_DENSE_LAYERS: 1,
        k.FFN_LAYER_TYPES: None,
        k.SLIDING_WINDOW: 4096,
        k.WINDOW_PATTERN: 4,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 102_400,
        k.TIE_EMBEDDINGS: False,
        k.NEXT_TOKEN_LAYERS: None,
    },
    rules=(ATTENTION_HEADS, k.one_for_each_layer(k.FFN_LAYER_TYPES), k.LISTED_WINDOWS),
    compose=exaone_moe,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
    windows=parts.by_layer_types(parts.by_pattern()),
)

FAMILIES = (EXAONE4, EXAONE_MOE)
