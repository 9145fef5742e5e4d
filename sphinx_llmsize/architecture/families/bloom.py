"""BLOOM and MPT: fused QKV, and positions without weights (ALiBi)."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D


def bloom(config: Config) -> tuple[Item, ...]:
    """GPT-2's block after a norm on the embeddings."""
    block = parts.pre_norm(
        parts.layer_norm, parts.fused_attention(bias=True), parts.mlp(bias=True, width=4 * D)
    )
    embeddings = (parts.token_embedding(), parts.embedding_norm())
    return parts.decoder(config, block, norm=parts.layer_norm, embeddings=embeddings)


def mpt(config: Config) -> tuple[Item, ...]:
    """No biases at all, not even in the norms."""
    norm = parts.layer_norm_without_bias
    block = parts.pre_norm(norm, parts.fused_attention(bias=False), parts.mlp(width=4 * D))
    return parts.decoder(config, block, norm=norm)


BLOOM = Family(
    model_type="bloom",
    title="BLOOM",
    source="https://arxiv.org/abs/2211.05100",
    architectures=("BloomForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 64,
        k.NUM_LAYERS: 2,
        k.NUM_HEADS: 8,
        k.VOCAB_SIZE: 250_880,
        k.TIE_EMBEDDINGS: True,
    },
    compose=bloom,
    names={"n_embed": k.HIDDEN_DIM},
)

MPT = Family(
    model_type="mpt",
    title="MPT",
    source="https://www.databricks.com/blog/mpt-7b",
    architectures=("MptForCausalLM", "MPTForCausalLM"),
    defaults={
        k.HIDDEN_DIM: 2048,
        k.NUM_LAYERS: 24,
        k.NUM_HEADS: 16,
        k.VOCAB_SIZE: 50_368,
        k.MAX_POSITIONS: 2048,
        k.TIE_EMBEDDINGS: True,
    },
    compose=mpt,
    names={"max_seq_len": k.MAX_POSITIONS},
)

FAMILIES = (BLOOM, MPT)
