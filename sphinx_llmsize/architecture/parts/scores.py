"""Attention scores: what is computed and kept without any weights."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import MatMul, Shape, Tensor
from sphinx_llmsize.config.symbols import T_SEEN, H, T
from sphinx_llmsize.translation import N_


def attention_scores(
    *,
    key_dim: Size,
    value_dim: Size,
    caches: tuple[Shape, ...],
    heads: Size = H,
    width: Size | None = None,
    tensors: tuple[Tensor, ...] = (),
) -> Stage:
    """Every query times every key and, after the softmax, these weights times the values.

    Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.1

    Args:
        key_dim: of each head's queries and keys.
        value_dim: of each head's values.
        keeps: what stays of the tokens so far: the KV cache.
        heads: of the queries.
        width: of all heads' values together, where that is told in other symbols.
        tensors: weights that the scores have: sinks, position biases.
    """
    return Stage(
        "scores",
        N_("Attention scores"),
        Group.ATTENTION,
        (T, width or heads * value_dim),
        tensors,
        inner=(heads, T, T),
        computes=score_products(key_dim, value_dim, heads=heads),
        caches=caches,
    )


def score_products(
    key_dim: Size, value_dim: Size, *, heads: Size = H, seen: Size = T_SEEN
) -> tuple[MatMul, ...]:
    """Both products, for each head."""
    return (
        MatMul(N_("queries × keys"), T, key_dim, seen, heads),
        MatMul(N_("weights × values"), T, seen, value_dim, heads),
    )
