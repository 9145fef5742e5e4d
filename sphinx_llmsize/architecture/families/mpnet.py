"""MPNet: BERT with T5's relative positions."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.families.bert import ENCODER_TASKS, bert_heads, encoder_layer
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.decoder import equal_layers
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_norm,
    position_embedding,
    relative_positions,
    token_embedding,
)
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.embeddings import NUM_BUCKETS
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.vocabulary import (
    ARCHITECTURES,
    FFN_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)


def mpnet(config: Config) -> tuple[Item, ...]:
    """BERT without token types; all layers share T5's relative positions besides."""
    return (
        token_embedding(),
        position_embedding(),
        embedding_norm(),
        replace(relative_positions(), id="relative_position"),
        *equal_layers(encoder_layer()),
        *bert_heads(config),
    )


MPNET = Family(
    model_type="mpnet",
    title="MPNet",
    source="https://arxiv.org/abs/2004.09297",
    architectures=("MPNetModel", "MPNetForMaskedLM"),
    defaults={
        ARCHITECTURES: None,
        HIDDEN_DIM: 768,
        NUM_LAYERS: 12,
        NUM_HEADS: 12,
        FFN_DIM: 3072,
        VOCAB_SIZE: 30_527,
        MAX_POSITIONS: 512,
        NUM_BUCKETS: 32,
        TIE_EMBEDDINGS: True,
    },
    compose=mpnet,
    rules=(ATTENTION_HEADS, ENCODER_TASKS),
)

FAMILIES = (MPNET,)
