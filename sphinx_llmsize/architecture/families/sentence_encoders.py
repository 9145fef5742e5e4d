"""Encoders that sentence embeddings are often made with: MPNet and NomicBERT."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.families.bert import encoder_layer
from sphinx_llmsize.architecture.families.t5 import NUM_BUCKETS, relative_positions
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import QUERY_WIDTH, grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import post_norm
from sphinx_llmsize.architecture.parts.decoder import equal_layers
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_norm,
    position_embedding,
    token_embedding,
)
from sphinx_llmsize.architecture.parts.encoder import (
    POOLED,
    after_layers,
    masked_token_head,
    token_type_embedding,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.pieces import Block, Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.encoders import NUM_TOKEN_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.tasks import Task, counted_for
from sphinx_llmsize.config.vocabulary import (
    ARCHITECTURES,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)

TASKS = counted_for(Task.HIDDEN_STATES, Task.MASKED_TOKENS)


def mpnet(config: Config) -> tuple[Item, ...]:
    """BERT without token types; all layers share T5's relative positions besides."""
    return (
        token_embedding(),
        position_embedding(),
        embedding_norm(),
        replace(relative_positions(), id="relative_position"),
        *equal_layers(encoder_layer()),
        *_heads(config),
    )


def nomic_bert(config: Config) -> tuple[Item, ...]:
    """BERT with rotary positions and a gated MLP, without biases in the layers or a pooler."""
    attention = grouped_query_attention(kv_width=QUERY_WIDTH)
    return (
        token_embedding(),
        token_type_embedding(),
        embedding_norm(),
        *equal_layers(post_norm(layer_norm, attention, gated_mlp())),
        *_heads(config, pooled=()),
    )


def _heads(config: Config, pooled: tuple[Task, ...] = POOLED) -> Block:
    tied = config.flag(TIE_EMBEDDINGS)
    tokens = masked_token_head(tied=tied, shared_bias=tied)
    return after_layers(config, token_head=tokens, pooled=pooled)


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
    rules=(ATTENTION_HEADS, TASKS),
)
NOMIC_BERT = Family(
    model_type="nomic_bert",
    title="NomicBERT",
    source="https://arxiv.org/abs/2402.01613",
    architectures=("NomicBertModel", "NomicBertForMaskedLM"),
    defaults={
        ARCHITECTURES: None,
        HIDDEN_DIM: 768,
        NUM_LAYERS: 12,
        NUM_HEADS: 12,
        HEAD_DIM: None,
        FFN_DIM: 3072,
        VOCAB_SIZE: 30_528,
        NUM_TOKEN_TYPES: 2,
        TIE_EMBEDDINGS: True,
    },
    compose=nomic_bert,
    rules=(ATTENTION_HEADS, TASKS),
)

FAMILIES = (MPNET, NOMIC_BERT)
