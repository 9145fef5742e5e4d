"""Recurrent states: what is computed with them, without any weights."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.matmul import MatMul
from sphinx_llmsize.config.symbols import T
from sphinx_llmsize.translation import N_

ATTENTION_NAMES = ("keys", "values", "queries")
STATE_SPACE_NAMES = ("B", "x", "C")
"""The same three as state spaces call them (Dao & Gu 2024, https://arxiv.org/abs/2405.21060)."""


def state_products(
    key_dim: Size,
    value_dim: Size,
    heads: Size = ONE,
    *,
    corrected: bool = False,
    names: tuple[str, str, str] = ATTENTION_NAMES,
) -> tuple[MatMul, ...]:
    """What a recurrence computes with states of key_dim × value_dim as tokens pass.

    Each token adds the outer product of its key and its value to the state and reads the state
    with its query; both are 2·d_k·d_v FLOPs for each head (Yang et al. 2023,
    https://arxiv.org/abs/2312.06635, section 2). Decay is number by number. Implementations
    that take tokens in chunks compute more, to do it faster.

    Args:
        key_dim: of each head's keys.
        value_dim: of each head's values.
        heads: each with a state.
        corrected: what the state has for the key is read before (the delta rule, Yang et al.
            2024, https://arxiv.org/abs/2406.06484, section 2.2).
        names: of keys, values and queries.
    """
    keys, values, queries = names
    return (
        *(
            (MatMul(N_("{keys} × states", keys=keys), T, key_dim, value_dim, heads),)
            if corrected
            else ()
        ),
        MatMul(N_("{keys} × {values}", keys=keys, values=values), key_dim, T, value_dim, heads),
        MatMul(N_("{queries} × states", queries=queries), T, key_dim, value_dim, heads),
    )
