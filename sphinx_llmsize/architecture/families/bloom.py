"""BLOOM and MPT: fused QKV, and positions without weights (ALiBi)."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import fused_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.embeddings import embedding_norm, token_embedding
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.norms import layer_norm, layer_norm_without_bias
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.vocabulary import (
    HIDDEN_DIM,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
)


def bloom(config: Config) -> tuple[Item, ...]:
    """GPT-2's block after a norm on the embeddings."""
    block = pre_norm(layer_norm, fused_attention(bias=True), mlp(bias=True, width=4 * D))
    embeddings = (token_embedding(), embedding_norm())
    return decoder(config, block, norm=layer_norm, embeddings=embeddings)


def mpt(config: Config) -> tuple[Item, ...]:
    """No biases at all, not even in the norms."""
    norm = layer_norm_without_bias
    block = pre_norm(norm, fused_attention(bias=False), mlp(width=4 * D))
    return decoder(config, block, norm=norm)


BLOOM = Family(
    model_type="bloom",
    title="BLOOM",
    source="https://arxiv.org/abs/2211.05100",
    architectures=("BloomForCausalLM",),
    defaults={
        HIDDEN_DIM: 64,
        NUM_LAYERS: 2,
        NUM_HEADS: 8,
        VOCAB_SIZE: 250_880,
        TIE_EMBEDDINGS: True,
    },
    compose=bloom,
    names={"n_embed": HIDDEN_DIM},
)

MPT = Family(
    model_type="mpt",
    title="MPT",
    source="https://www.databricks.com/blog/mpt-7b",
    architectures=("MptForCausalLM", "MPTForCausalLM"),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 24,
        NUM_HEADS: 16,
        VOCAB_SIZE: 50_368,
        MAX_POSITIONS: 2048,
        TIE_EMBEDDINGS: True,
    },
    compose=mpt,
    names={"max_seq_len": MAX_POSITIONS},
)

FAMILIES = (BLOOM, MPT)
