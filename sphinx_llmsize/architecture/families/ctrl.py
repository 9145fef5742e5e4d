"""CTRL: pre-norm layers with separate Q, K and V projections, positions as sines."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import sizes
from sphinx_llmsize.architecture.families.opt import biased_block
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def ctrl(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers with biases everywhere, on the LM head too; positions have no weights."""
    return parts.decoder(config, biased_block(), norm=parts.layer_norm, head_bias=True)


CTRL = Family(
    model_type="ctrl",
    title="CTRL",
    source="https://arxiv.org/abs/1909.05858",
    architectures=("CTRLLMHeadModel",),
    defaults={**sizes(D=1280, L=48, H=16, F=8192, V=246_534, P=256), k.TIE_EMBEDDINGS: True},
    compose=ctrl,
)

FAMILIES = (CTRL,)
