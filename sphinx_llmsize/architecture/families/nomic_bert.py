"""NomicBERT: rotary positions, a gated MLP, no biases in the layers."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import sizes
from sphinx_llmsize.architecture.families.bert import ENCODER_TASKS, bert_heads
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS


def nomic_bert(config: Config) -> tuple[Item, ...]:
    """BERT with rotary positions and a gated MLP, without biases in the layers or a pooler."""
    attention = parts.without_cache(parts.multi_head_attention(width=parts.QUERY_WIDTH))
    return (
        parts.token_embedding(),
        parts.token_type_embedding(),
        parts.embedding_norm(),
        *parts.equal_layers(parts.post_norm(parts.layer_norm, attention, parts.gated_mlp())),
        *bert_heads(config, pooled=()),
    )


NOMIC_BERT = Family(
    model_type="nomic_bert",
    title="NomicBERT",
    source="https://arxiv.org/abs/2402.01613",
    architectures=("NomicBertModel", "NomicBertForMaskedLM"),
    defaults={
        **sizes(D=768, L=12, H=12, d_h=None, F=3072, V=30_528, V_t=2),
        k.ARCHITECTURES: None,
        k.TIE_EMBEDDINGS: True,
    },
    compose=nomic_bert,
    rules=(ATTENTION_HEADS, ENCODER_TASKS),
)

FAMILIES = (NOMIC_BERT,)
