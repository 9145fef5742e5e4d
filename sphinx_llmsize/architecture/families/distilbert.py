"""DistilBERT and BertGeneration: BERT with something left out."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.bert import (
    ENCODER_TASKS,
    encoder_layer,
    post_norm_encoder,
)
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.decoder import equal_layers
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_norm,
    lm_head,
    position_embedding,
    token_embedding,
)
from sphinx_llmsize.architecture.parts.encoder import after_layers, masked_token_head, second_bias
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.tasks import Task, counted_for
from sphinx_llmsize.config.vocabulary import (
    ADD_CROSS_ATTENTION,
    ARCHITECTURES,
    FFN_DIM,
    HIDDEN_DIM,
    IS_DECODER,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)


def distilbert(config: Config) -> tuple[Item, ...]:
    """BERT without token types and without a pooler."""
    tokens = masked_token_head(tied=config.flag(TIE_EMBEDDINGS))
    return (
        token_embedding(),
        position_embedding(),
        embedding_norm(),
        *equal_layers(encoder_layer()),
        *after_layers(config, token_head=tokens, pooled=()),
    )


def bert_generation(config: Config) -> tuple[Item, ...]:
    """BERT without token types and without a pooler; a plain LM head."""
    tied = config.flag(TIE_EMBEDDINGS)
    tokens = (lm_head(tied=tied, bias=True), *(() if tied else (second_bias(),)))
    return post_norm_encoder(
        config,
        embeddings=(token_embedding(), position_embedding()),
        heads=after_layers(config, token_head=tokens, pooled=()),
    )


DISTILBERT = Family(
    model_type="distilbert",
    title="DistilBERT",
    source="https://arxiv.org/abs/1910.01108",
    architectures=("DistilBertModel", "DistilBertForMaskedLM"),
    defaults={
        ARCHITECTURES: None,
        HIDDEN_DIM: 768,
        NUM_LAYERS: 6,
        NUM_HEADS: 12,
        FFN_DIM: 3072,
        VOCAB_SIZE: 30_522,
        MAX_POSITIONS: 512,
        TIE_EMBEDDINGS: True,
    },
    compose=distilbert,
    rules=(ATTENTION_HEADS, ENCODER_TASKS),
    names={"dim": HIDDEN_DIM, "hidden_dim": FFN_DIM},
)

BERT_GENERATION = Family(
    model_type="bert-generation",
    title="BertGeneration",
    source="https://arxiv.org/abs/1907.12461",
    architectures=("BertGenerationEncoder", "BertGenerationDecoder"),
    defaults={
        **DISTILBERT.defaults,
        HIDDEN_DIM: 1024,
        NUM_LAYERS: 24,
        NUM_HEADS: 16,
        FFN_DIM: 4096,
        VOCAB_SIZE: 50_358,
        IS_DECODER: False,
        ADD_CROSS_ATTENTION: False,
    },
    compose=bert_generation,
    rules=(ATTENTION_HEADS, counted_for(Task.HIDDEN_STATES, Task.CONTINUATION)),
)

FAMILIES = (DISTILBERT, BERT_GENERATION)
