"""Longformer: RoBERTa with sliding windows and with separate projections for global tokens."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bart_relatives import (
    GLOBAL_TOKENS_NOTE,
    global_and_local_attention,
)
from sphinx_llmsize.architecture.families.bert import (
    BERT,
    ENCODER_TASKS,
    bert_heads,
    post_norm_encoder,
    summed_embeddings,
)
from sphinx_llmsize.architecture.family import Items, variant
from sphinx_llmsize.architecture.task_heads import ROBERTA_HEADS
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def longformer(config: Config) -> Items:
    """RoBERTa's layers with a second set of Q, K and V projections, for global tokens.

    Beltagy et al. 2020, https://arxiv.org/abs/2004.05150
    """
    attention = parts.without_cache(global_and_local_attention())
    return post_norm_encoder(
        config,
        embeddings=summed_embeddings(),
        heads=bert_heads(config),
        layer=parts.post_norm(parts.layer_norm, attention, parts.mlp(bias=True)),
    )


LONGFORMER = variant(
    BERT,
    "longformer",
    "Longformer",
    "LongformerModel",
    "https://arxiv.org/abs/2004.05150",
    defaults={k.TWO_SIDED_WINDOW: 512},
    removed=(k.IS_DECODER, k.ADD_CROSS_ATTENTION),
    compose=longformer,
    tasks=ENCODER_TASKS,
    heads=ROBERTA_HEADS,
    rules=(*BERT.rules, k.one_for_each_layer(k.TWO_SIDED_WINDOW)),
    notes=(GLOBAL_TOKENS_NOTE,),
    reserved_positions=2,
    windows=parts.two_sided_windows,
)
