"""RoBERTa and its variants: BERT with other vocabularies and heads, some with pre-norm layers."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import (
    BERT,
    megatron_bert,
    pre_norm_encoder,
    summed_embeddings,
)
from sphinx_llmsize.architecture.family import Items, sizes
from sphinx_llmsize.architecture.task_heads import ROBERTA_HEADS
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.tasks import Task

ROBERTA_TASKS = (Task.HIDDEN_STATES, Task.MASKED_TOKENS, Task.CONTINUATION)
"""Tasks for which RoBERTa's ``compose`` makes the head; :data:`ROBERTA_HEADS` has others."""


def roberta_prelayernorm(config: Config) -> Items:
    """RoBERTa with pre-norm layers and a final norm."""
    return pre_norm_encoder(config, embeddings=(*summed_embeddings(), parts.embedding_norm()))


ROBERTA = replace(
    BERT,
    model_type="roberta",
    title="RoBERTa",
    source="https://arxiv.org/abs/1907.11692",
    architectures=("RobertaModel",),
    defaults={**BERT.defaults, k.VOCAB_SIZE: 50_265},
    tasks=ROBERTA_TASKS,
    heads=ROBERTA_HEADS,
    reserved_positions=2,
)
XLM_ROBERTA = replace(
    ROBERTA,
    model_type="xlm-roberta",
    title="XLM-RoBERTa",
    source="https://arxiv.org/abs/1911.02116",
    architectures=("XLMRobertaModel",),
    defaults={**ROBERTA.defaults, k.VOCAB_SIZE: 30_522},
)
CAMEMBERT = replace(
    XLM_ROBERTA,
    model_type="camembert",
    title="CamemBERT",
    source="https://arxiv.org/abs/1911.03894",
    architectures=("CamembertModel",),
)
DATA2VEC_TEXT = replace(
    XLM_ROBERTA,
    model_type="data2vec-text",
    title="Data2Vec text",
    source="https://arxiv.org/abs/2202.03555",
    architectures=("Data2VecTextModel",),
)
ROBERTA_PRELAYERNORM = replace(
    ROBERTA,
    model_type="roberta-prelayernorm",
    title="RoBERTa-PreLayerNorm",
    source="https://arxiv.org/abs/1904.01038",
    architectures=("RobertaPreLayerNormModel",),
    compose=roberta_prelayernorm,
)
XLM_ROBERTA_XL = replace(
    ROBERTA,
    model_type="xlm-roberta-xl",
    title="XLM-RoBERTa-XL",
    source="https://arxiv.org/abs/2105.00572",
    architectures=("XLMRobertaXLModel",),
    defaults={**ROBERTA.defaults, **sizes(D=2560, L=36, H=32, F=10_240, V=250_880, P=514, V_t=1)},
    compose=megatron_bert,
)
