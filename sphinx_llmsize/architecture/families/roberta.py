"""RoBERTa and its variants: BERT with other vocabularies and heads, some with pre-norm layers."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import (
    BERT,
    megatron_bert,
    pre_norm_encoder,
    summed_embeddings,
)
from sphinx_llmsize.architecture.family import Items, sizes, variant
from sphinx_llmsize.architecture.task_heads import ROBERTA_HEADS
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.tasks import Task

ROBERTA_TASKS = (Task.HIDDEN_STATES, Task.MASKED_TOKENS, Task.CONTINUATION)
"""Tasks for which RoBERTa's ``compose`` makes the head; :data:`ROBERTA_HEADS` has the rest."""


def roberta_prelayernorm(config: Config) -> Items:
    """RoBERTa with pre-norm layers and a final norm."""
    return pre_norm_encoder(config, embeddings=(*summed_embeddings(), parts.embedding_norm()))


ROBERTA = variant(
    BERT,
    "roberta",
    "RoBERTa",
    "RobertaModel",
    "https://arxiv.org/abs/1907.11692",
    defaults={k.VOCAB_SIZE: 50_265},
    tasks=ROBERTA_TASKS,
    heads=ROBERTA_HEADS,
    reserved_positions=2,
)
XLM_ROBERTA = variant(
    ROBERTA,
    "xlm-roberta",
    "XLM-RoBERTa",
    "XLMRobertaModel",
    "https://arxiv.org/abs/1911.02116",
    defaults={k.VOCAB_SIZE: 30_522},
)
CAMEMBERT = variant(
    XLM_ROBERTA, "camembert", "CamemBERT", "CamembertModel", "https://arxiv.org/abs/1911.03894"
)
DATA2VEC_TEXT = variant(
    XLM_ROBERTA,
    "data2vec-text",
    "Data2Vec text",
    "Data2VecTextModel",
    "https://arxiv.org/abs/2202.03555",
)
ROBERTA_PRELAYERNORM = variant(
    ROBERTA,
    "roberta-prelayernorm",
    "RoBERTa-PreLayerNorm",
    "RobertaPreLayerNormModel",
    "https://arxiv.org/abs/1904.01038",
    compose=roberta_prelayernorm,
)
XLM_ROBERTA_XL = variant(
    ROBERTA,
    "xlm-roberta-xl",
    "XLM-RoBERTa-XL",
    "XLMRobertaXLModel",
    "https://arxiv.org/abs/2105.00572",
    defaults=sizes(D=2560, L=36, H=32, F=10_240, V=250_880, P=514, V_t=1),
    compose=megatron_bert,
)
