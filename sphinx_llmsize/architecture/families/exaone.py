"""EXAONE 4.0: norms after attention and MLP, and on the queries and keys of each head."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import post_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.pieces import Item
from sphinx_llmsize.config.config import Config
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


def exaone4(config: Config) -> tuple[Item, ...]:
    """Post-norm layers; sliding windows in three of four change no weights."""
    attention = grouped_query_attention(norms=head_norms())
    return decoder(config, post_norm(rms_norm, attention, gated_mlp()), norm=rms_norm)


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
        VOCAB_SIZE: 102_400,
        TIE_EMBEDDINGS: False,
    },
    compose=exaone4,
)

FAMILIES = (EXAONE4,)
