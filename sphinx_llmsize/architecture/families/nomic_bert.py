"""NomicBERT: rotary positions, a gated MLP, no biases in the layers."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.bert import ENCODER_TASKS, bert_heads
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import (
    QUERY_WIDTH,
    multi_head_attention,
)
from sphinx_llmsize.architecture.parts.blocks import keeping_nothing, post_norm
from sphinx_llmsize.architecture.parts.decoder import equal_layers
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_norm,
    token_embedding,
    token_type_embedding,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.embeddings import NUM_TOKEN_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.vocabulary import (
    ARCHITECTURES,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)


def nomic_bert(config: Config) -> tuple[Item, ...]:
    """BERT with rotary positions and a gated MLP, without biases in the layers or a pooler."""
    attention = keeping_nothing(multi_head_attention(width=QUERY_WIDTH))
    return (
        token_embedding(),
        token_type_embedding(),
        embedding_norm(),
        *equal_layers(post_norm(layer_norm, attention, gated_mlp())),
        *bert_heads(config, pooled=()),
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
    rules=(ATTENTION_HEADS, ENCODER_TASKS),
)

FAMILIES = (NOMIC_BERT,)
