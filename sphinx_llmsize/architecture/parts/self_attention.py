"""Self-attention: projections around the scores."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.block_edits import add_branch, insert
from sphinx_llmsize.architecture.parts.scores import attention_scores
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_H, H_KV, T_SEEN, D, H, T
from sphinx_llmsize.translation import N_

QUERY_WIDTH = H * D_H
"""Dimensions of all heads' queries together."""
KEY_WIDTH = H_KV * D_H
"""Dimensions of all heads' keys together, and of all values."""


def attention(
    qkv: tuple[Tensor, ...],
    output: tuple[Tensor, ...],
    *,
    qkv_width: Size,
    width: Size = QUERY_WIDTH,
    kv_width: Size = KEY_WIDTH,
    heads: Size = H,
    value_dim: Size = D_H,
    cache_width: Size | None = None,
    norms: Block = (),
    scores: tuple[Tensor, ...] = (),
) -> Block:
    """Attention from given projections: a QKV stage, norms, scores, and an output stage.

    Args:
        qkv: projections from D.
        output: projections to D.
        qkv_width: dimensions after ``qkv``.
        width: dimensions before ``output``.
        kv_width: dimensions of all keys together, and of all values.
        heads: number of query heads.
        value_dim: dimensions of the values to which a head applies its scores; it changes FLOPs,
            but no projection.
        cache_width: cached elements per token; all keys and values by default.
        norms: stages between the projections and the scores.
        scores: tensors of the scores stage, such as sinks or position biases.
    """
    return (
        Stage("qkv", N_("QKV projection"), Group.ATTENTION, (T, qkv_width), qkv),
        *norms,
        attention_scores(
            key_dim=D_H,
            value_dim=value_dim,
            heads=heads,
            width=width,
            caches=((T_SEEN, cache_width or 2 * kv_width),),
            tensors=scores,
        ),
        Stage("attention_output", N_("Output projection"), Group.ATTENTION, (T, D), output),
    )


def qkv_projections(
    *, bias: bool = False, width: Size = QUERY_WIDTH, kv_width: Size = KEY_WIDTH, inputs: Size = D
) -> tuple[Tensor, ...]:
    """Three matrices: Q is inputs × width, K and V are inputs × kv_width."""
    return (
        *linear("q_proj", inputs, width, "attn_q", bias=bias, label="q"),
        *linear("k_proj", inputs, kv_width, "attn_k", bias=bias, label="k"),
        *linear("v_proj", inputs, kv_width, "attn_v", bias=bias, label="v"),
    )


def grouped_query_attention(
    *,
    bias: bool = False,
    output_bias: bool | None = None,
    norms: Block = (),
    scores: tuple[Tensor, ...] = (),
    value_dim: Size = D_H,
) -> Block:
    """Separate Q, K and V projections; H query heads share H_kv heads of keys and values.

    Ainslie et al. 2023, https://arxiv.org/abs/2305.13245. With H_kv = H this is multi-head
    attention, with H_kv = 1 multi-query attention (Shazeer 2019,
    https://arxiv.org/abs/1911.02150).

    Args:
        bias: biases on Q, K and V.
        output_bias: a bias on the output projection; defaults to ``bias``.
        norms: norms on queries and keys.
        scores: sinks (:func:`sinks`) or other tensors of the scores.
        value_dim: dimensions of the values to which a head applies its scores, 2·d_h if it reads
            two heads' values (DiffLlama).
    """
    with_bias = bias if output_bias is None else output_bias
    return attention(
        qkv_projections(bias=bias),
        linear("o_proj", QUERY_WIDTH, D, "attn_o", bias=with_bias),
        qkv_width=QUERY_WIDTH + 2 * KEY_WIDTH,
        value_dim=value_dim,
        norms=norms,
        scores=scores,
    )


def multi_head_attention(
    *,
    bias: bool = False,
    output_bias: bool | None = None,
    width: Size = D,
    cache_width: Size | None = None,
    scores: tuple[Tensor, ...] = (),
) -> Block:
    """As many key and value heads as query heads; Q, K and V are D × width, the output width × D.

    Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.2

    Args:
        bias: biases on Q, K and V.
        output_bias: a bias on the output projection; defaults to ``bias``.
        width: dimensions of all heads together.
        cache_width: cached elements per token; all keys and values by default.
        scores: position biases.
    """
    with_bias = bias if output_bias is None else output_bias
    return attention(
        qkv_projections(bias=bias, width=width, kv_width=width),
        linear("o_proj", width, D, "attn_o", bias=with_bias),
        qkv_width=3 * width,
        width=width,
        kv_width=width,
        cache_width=cache_width,
        scores=scores,
    )


def fused_attention(
    *,
    bias: bool,
    output_bias: bool | None = None,
    width: Size | None = None,
    kv_width: Size = D,
    norms: Block = (),
) -> Block:
    """One matrix for Q, K and V (GPT-2's ``c_attn``, Falcon's ``query_key_value``).

    Args:
        bias: biases on Q, K and V.
        output_bias: a bias on the output projection; defaults to ``bias``.
        width: dimensions of all queries together; by default D, or H·d_h if ``kv_width`` is given.
        kv_width: dimensions of all keys together, and of all values.
        norms: norms on queries and keys.
    """
    with_bias = bias if output_bias is None else output_bias
    if width is None:
        width = D if kv_width == D else QUERY_WIDTH
    # equal widths are written as 3·D: sums don't collect terms
    qkv_width = 3 * width if width == kv_width else width + 2 * kv_width
    return attention(
        linear("qkv_proj", D, qkv_width, "attn_qkv", bias=bias),
        linear("o_proj", width, D, "attn_o", bias=with_bias),
        qkv_width=qkv_width,
        width=width,
        kv_width=kv_width,
        norms=norms,
    )


def gated_attention(*, bias: bool = False, norms: Block = ()) -> Block:
    """Grouped-query attention with a query projection of twice the width: D × 2·H·d_h.

    One half of its output is the queries, the other gates the heads' results (Qwen3-Next; Qiu et
    al. 2025, https://arxiv.org/abs/2505.06708).

    Args:
        bias: biases on all four projections.
        norms: norms on queries and keys.
    """
    gated = attention(
        (
            *linear("q_proj", D, 2 * QUERY_WIDTH, "attn_q", bias=bias, label=N_("q with gate")),
            *linear("k_proj", D, KEY_WIDTH, "attn_k", bias=bias, label="k"),
            *linear("v_proj", D, KEY_WIDTH, "attn_v", bias=bias, label="v"),
        ),
        linear("o_proj", QUERY_WIDTH, D, "attn_o", bias=bias),
        qkv_width=2 * QUERY_WIDTH + 2 * KEY_WIDTH,
        norms=norms,
    )
    gate = Stage("output_gate", N_("Output gate"), Group.ATTENTION, (T, QUERY_WIDTH))
    return insert(gated, gate, before="attention_output")


def output_gate(
    *,
    bias: bool = False,
    bias_per_head: bool = False,
    width: Size | None = None,
    gated: Size = QUERY_WIDTH,
) -> Stage:
    """A gate on the heads' results, before the output projection.

    Qiu et al. 2025, https://arxiv.org/abs/2505.06708

    Args:
        bias: a bias as wide as the gate.
        bias_per_head: a bias of one number for each head.
        width: dimensions of the gate; H for one number per head. Defaults to ``gated``.
        gated: dimensions of the heads' results.
    """
    gate = linear("gate_proj", D, width or gated, "attn_gate", bias=bias)
    shift = (vector("gate_bias", H, "attn_gate", Role.BIAS, N_("bias")),) if bias_per_head else ()
    return Stage("output_gate", N_("Output gate"), Group.ATTENTION, (T, gated), (*gate, *shift))


def with_gate(attention: Block, gate: Block) -> Block:
    """Add a gate in parallel to the steps before the output projection; if empty, add nothing."""
    return add_branch(attention, *gate, before="attention_output") if gate else attention
