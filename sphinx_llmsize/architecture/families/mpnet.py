"""MPNet: BERT with T5's relative positions."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import sizes
from sphinx_llmsize.architecture.families.bert import ENCODER_TASKS, bert_heads, encoder_layer
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS


def mpnet(config: Config) -> tuple[Item, ...]:
    """BERT without token types; T5's relative positions, shared by all layers, are added."""
    return (
        parts.token_embedding(),
        parts.position_embedding(),
        parts.embedding_norm(),
        replace(parts.relative_positions(), id="relative_position"),
        *parts.equal_layers(encoder_layer()),
        *bert_heads(config),
    )


MPNET = Family(
    model_type="mpnet",
    title="MPNet",
    source="https://arxiv.org/abs/2004.09297",
    architectures=("MPNetModel", "MPNetForMaskedLM"),
    defaults={
        **sizes(D=768, L=12, H=12, F=3072, V=30_527, P=512, B=32),
        k.ARCHITECTURES: None,
        k.TIE_EMBEDDINGS: True,
    },
    compose=mpnet,
    rules=(ATTENTION_HEADS, ENCODER_TASKS),
)

FAMILIES = (MPNET,)
