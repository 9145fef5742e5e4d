"""BLOOM and MPT: GPT-2's layers with ALiBi, positions that have no weights."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D


def bloom(config: Config) -> Items:
    """GPT-2's layers after a norm on the token embedding.

    If ``add_to_norms`` is true, sublayers are added to the norms' outputs, not to their inputs.
    """
    attention, feed_forward = parts.fused_attention(bias=True), parts.mlp(bias=True, width=4 * D)
    embeddings = (parts.token_embedding(), parts.embedding_norm())
    return parts.uniform_decoder(
        config,
        attention,
        feed_forward,
        frame=parts.add_to_norms if config.flag(k.ADD_TO_NORMS) else parts.pre_norm,
        norm=parts.layer_norm,
        embeddings=embeddings,
    )


def mpt(config: Config) -> Items:
    """GPT-2's layers without any biases, not even in the norms."""
    attention, feed_forward = parts.fused_attention(bias=False), parts.mlp(width=4 * D)
    return parts.uniform_decoder(
        config, attention, feed_forward, norm=parts.layer_norm_without_bias
    )


BLOOM = Family(
    model_type="bloom",
    title="BLOOM",
    source="https://arxiv.org/abs/2211.05100",
    architectures=("BloomForCausalLM",),
    defaults={**sizes(D=64, L=2, H=8, V=250_880), k.TIE_EMBEDDINGS: True, k.ADD_TO_NORMS: False},
    compose=bloom,
    names={"n_embed": k.HIDDEN_DIM},
    positions=parts.Positions.ALIBI,
)
MPT = Family(
    model_type="mpt",
    title="MPT",
    source="https://www.databricks.com/blog/mpt-7b",
    architectures=("MptForCausalLM", "MPTForCausalLM"),
    # no tensor depends on P; views show it as the longest context
    defaults={**sizes(D=2048, L=24, H=16, V=50_368, P=2048), k.TIE_EMBEDDINGS: True},
    compose=mpt,
    names={"max_seq_len": k.MAX_POSITIONS},
    positions=parts.Positions.ALIBI,
)
