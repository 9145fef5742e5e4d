"""Attention: the projections around the scores, which have no weights of their own."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.pieces import Group, Stage, Tensor
from sphinx_llmsize.config.vocabulary import D_H, H_KV, D, H, T


def grouped_query_attention(
    *, bias: bool, width: Size = H * D_H, kv_width: Size = H_KV * D_H
) -> tuple[Stage, ...]:
    """Separate Q, K and V projections; K and V have H_kv heads that H query heads share.

    With H_kv = H this is multi-head attention (Vaswani et al. 2017), with H_kv = 1
    multi-query attention (Shazeer 2019); in between Ainslie et al. 2023,
    https://arxiv.org/abs/2305.13245.

    Args:
        bias: biases on all four projections.
        width: of all query heads together.
        kv_width: of all key heads together, and of all value heads.
    """
    return _attention(
        (
            *linear("q_proj", D, width, "attn_q", bias=bias, label="q"),
            *linear("k_proj", D, kv_width, "attn_k", bias=bias, label="k"),
            *linear("v_proj", D, kv_width, "attn_v", bias=bias, label="v"),
        ),
        linear("o_proj", width, D, "attn_o", bias=bias),
        qkv_width=3 * width if width == kv_width else width + 2 * kv_width,
        width=width,
    )


def fused_attention(*, bias: bool) -> tuple[Stage, ...]:
    """Multi-head attention with one matrix for Q, K and V (GPT-2's ``c_attn``)."""
    return _attention(
        linear("qkv_proj", D, 3 * D, "attn_qkv", bias=bias),
        linear("o_proj", D, D, "attn_o", bias=bias),
        qkv_width=3 * D,
        width=D,
    )


def _attention(
    qkv: tuple[Tensor, ...], output: tuple[Tensor, ...], *, qkv_width: Size, width: Size
) -> tuple[Stage, ...]:
    return (
        Stage("qkv", "QKV projection", Group.ATTENTION, (T, qkv_width), qkv),
        Stage("scores", "Attention scores", Group.ATTENTION, (T, width), inner=(H, T, T)),
        Stage("attention_output", "Output projection", Group.ATTENTION, (T, D), output),
    )
