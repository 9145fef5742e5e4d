"""CTRL: pre-norm layers like GPT-2's, with separate Q, K and V and positions as sines."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.opt import biased_block
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.vocabulary import (
    FFN_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)


def ctrl(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers with biases everywhere, the LM head's too; positions without weights."""
    return decoder(config, biased_block(), norm=layer_norm, head_bias=True)


CTRL = Family(
    model_type="ctrl",
    title="CTRL",
    source="https://arxiv.org/abs/1909.05858",
    architectures=("CTRLLMHeadModel",),
    defaults={
        HIDDEN_DIM: 1280,
        NUM_LAYERS: 48,
        NUM_HEADS: 16,
        FFN_DIM: 8192,
        VOCAB_SIZE: 246_534,
        MAX_POSITIONS: 256,
        TIE_EMBEDDINGS: True,
    },
    compose=ctrl,
)

FAMILIES = (CTRL,)
