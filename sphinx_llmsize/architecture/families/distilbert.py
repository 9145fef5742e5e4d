"""DistilBERT and BertGeneration: BERT without token types and without a pooler."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import (
    ENCODER_TASKS,
    post_norm_encoder,
    post_norm_layer_without_cache,
)
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.architecture.task_heads import NO_OTHER_HEADS, UNPOOLED_HEADS
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.tasks import Task


def distilbert(config: Config) -> Items:
    """BERT without token types and pooler; its head for masked tokens has one bias on the scores.

    In transformers, BERT's head has two if weights are untied.
    """
    token_head = parts.masked_token_head(tied=config.flag(k.TIE_EMBEDDINGS))
    return post_norm_encoder(
        config,
        embeddings=(parts.token_embedding(), parts.position_embedding()),
        heads=parts.encoder_head(config, token_head=token_head, pooled=()),
        # DistilBERT has no keys for a decoder
        layer=post_norm_layer_without_cache(),
    )


def bert_generation(config: Config) -> Items:
    """BERT's layers, as an encoder or a decoder, and an LM head with a bias.

    transformers gives an untied head a second bias of its own.
    """
    tied = config.flag(k.TIE_EMBEDDINGS)
    head = parts.lm_head(tied=tied, bias=True)
    token_head = (head,) if tied else (head, parts.second_bias())
    return post_norm_encoder(
        config,
        embeddings=(parts.token_embedding(), parts.position_embedding()),
        heads=parts.encoder_head(config, token_head=token_head, pooled=()),
    )


DISTILBERT = Family(
    model_type="distilbert",
    title="DistilBERT",
    source="https://arxiv.org/abs/1910.01108",
    architectures=("DistilBertModel",),
    defaults={
        **sizes(D=768, L=6, H=12, F=3072, V=30_522, P=512),
        k.TIE_EMBEDDINGS: True,
    },
    compose=distilbert,
    tasks=ENCODER_TASKS,
    heads=UNPOOLED_HEADS,
    names={"dim": k.HIDDEN_DIM, "hidden_dim": k.FFN_DIM},
)
BERT_GENERATION = variant(
    DISTILBERT,
    "bert-generation",
    "BertGeneration",
    "BertGenerationEncoder",
    "https://arxiv.org/abs/1907.12461",
    defaults={
        **sizes(D=1024, L=24, H=16, F=4096, V=50_358),
        **off(k.IS_DECODER, k.ADD_CROSS_ATTENTION),
    },
    compose=bert_generation,
    tasks=(Task.HIDDEN_STATES, Task.CONTINUATION),
    heads=NO_OTHER_HEADS,
    names={},
)
