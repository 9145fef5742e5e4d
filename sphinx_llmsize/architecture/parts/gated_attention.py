"""Attention whose query projection makes the output's gate as well."""

from __future__ import annotations

from sphinx_llmsize.architecture.parts.attention import KEY_WIDTH, QUERY_WIDTH, attention
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.pieces import Block
from sphinx_llmsize.config.vocabulary import D


def gated_attention(*, bias: bool = False, norms: Block = ()) -> Block:
    """Grouped-query attention with a query projection of twice the width: D × 2·H·d_h.

    One half of what it makes are the queries, the other gates what the heads give (Qwen3-Next;
    Qiu et al. 2025, https://arxiv.org/abs/2505.06708).

    Args:
        bias: biases on all four projections.
        norms: on queries and keys.
    """
    return attention(
        (
            *linear("q_proj", D, 2 * QUERY_WIDTH, "attn_q", bias=bias, label="q, gate"),
            *linear("k_proj", D, KEY_WIDTH, "attn_k", bias=bias, label="k"),
            *linear("v_proj", D, KEY_WIDTH, "attn_v", bias=bias, label="v"),
        ),
        linear("o_proj", QUERY_WIDTH, D, "attn_o", bias=bias),
        qkv_width=2 * QUERY_WIDTH + 2 * KEY_WIDTH,
        norms=norms,
    )
