"""Self-attention: projections around the scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.block_edits import inserted, without_cache
from sphinx_llmsize.architecture.parts.scores import attention_scores
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_H, H_KV, T_SEEN, D, H, T
from sphinx_llmsize.translation import N_

QUERY_WIDTH = H * D_H
KEY_WIDTH = H_KV * D_H


def grouped_query_attention(
    *,
    bias: bool = False,
    output_bias: bool | None = None,
    norms: Block = (),
    scores: tuple[Tensor, ...] = (),
    value_dim: Size = D_H,
) -> Block:
    """Separate Q, K and V projections; K and V have H_kv heads that H query heads share.

    With H_kv = H this is multi-head attention, with H_kv = 1 multi-query attention (Shazeer
    2019, https://arxiv.org/abs/1911.02150); in between Ainslie et al. 2023,
    https://arxiv.org/abs/2305.13245.

    Args:
        bias: biases on Q, K and V.
        output_bias: a bias on the output projection; as on the others, unless told.
        norms: on queries and keys.
        scores: weights that the scores have: :func:`sinks`.
        value_dim: of what each head weighs.
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
    """As many key and value heads as query heads: four matrices D × D, or to another width.

    Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.2

    Args:
        bias: biases on Q, K and V.
        output_bias: a bias on the output projection; as on the others, unless told.
        width: of all heads together.
        kept: what is kept of a token: all keys and values, unless told.
        scores: weights that the scores have: position biases.
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


def qkv_projections(
    *, bias: bool = False, width: Size = QUERY_WIDTH, kv_width: Size = KEY_WIDTH
) -> tuple[Tensor, ...]:
    """Three matrices: to the queries, to the keys, to the values."""
    return (
        *linear("q_proj", D, width, "attn_q", bias=bias, label="q"),
        *linear("k_proj", D, kv_width, "attn_k", bias=bias, label="k"),
        *linear("v_proj", D, kv_width, "attn_v", bias=bias, label="v"),
    )


def sinks() -> tuple[Tensor, ...]:
    """For each head, a learned score that no token has (gpt-oss).

    Xiao et al. 2023, https://arxiv.org/abs/2309.17453
    """
    return (vector("sinks", H, "attn_sinks", Role.BIAS, N_("sinks")),)


def fused_attention(
    *,
    bias: bool,
    output_bias: bool | None = None,
    width: Size = D,
    kv_width: Size = D,
    norms: Block = (),
) -> Block:
    """One matrix for Q, K and V (GPT-2's ``c_attn``, Falcon's ``query_key_value``)."""
    qkv_width = 3 * width if width == kv_width else width + 2 * kv_width
    return attention(
        linear("qkv_proj", D, qkv_width, "attn_qkv", bias=bias),
        linear("o_proj", width, D, "attn_o", bias=bias if output_bias is None else output_bias),
        qkv_width=qkv_width,
        width=width,
        kv_width=kv_width,
        norms=norms,
    )


def output_gate(
    *,
    bias: bool = False,
    head_bias: bool = False,
    width: Size | None = None,
    gated: Size = QUERY_WIDTH,
) -> Stage:
    """A gate on what the heads give, before the output projection.

    Qiu et al. 2025, https://arxiv.org/abs/2505.06708

    Args:
        bias: a bias as wide as the gate.
        head_bias: a bias of one number for each head.
        width: of the gate: as what is gated or, with one number for each head, H.
        gated: width of what the heads give.
    """
    gate = linear("gate_proj", D, width or gated, "attn_gate", bias=bias)
    shift = (vector("gate_bias", H, "attn_gate", Role.BIAS, N_("bias")),) if head_bias else ()
    return Stage("output_gate", N_("Output gate"), Group.ATTENTION, (T, gated), (*gate, *shift))


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
    """Any attention: what makes Q, K and V, the scores, what maps their result back to D.

    Args:
        qkv: projections from D.
        output: projections to D.
        qkv_width: what leaves the first.
        width: what enters the last.
        kv_width: of all keys together, and of all values.
        heads: of the queries.
        value_dim: of what each head weighs.
        kept: what is kept of a token: all keys and values, unless told.
        norms: stages between the projections and the scores.
        scores: weights that the scores have: sinks, position biases.
    """
    stage = attention_scores(
        key_dim=D_H,
        value_dim=value_dim,
        heads=heads,
        width=width,
        caches=((T_SEEN, cache_width or 2 * kv_width),),
        tensors=scores,
    )
    return (
        Stage("qkv", N_("QKV projection"), Group.ATTENTION, (T, qkv_width), qkv),
        *norms,
        stage,
        Stage("attention_output", N_("Output projection"), Group.ATTENTION, (T, D), output),
    )


def gated_attention(*, bias: bool = False, norms: Block = ()) -> Block:
    """Grouped-query attention with a query projection of twice the width: D × 2·H·d_h.

    One half of what it makes are the queries, the other gates what the heads give (Qwen3-Next;
    Qiu et al. 2025, https://arxiv.org/abs/2505.06708).

    Args:
        bias: biases on all four projections.
        norms: on queries and keys.
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
    return inserted(gated, gate, before="attention_output")


def queries_only(attention: Block) -> Block:
    """Keys and values are those of an earlier layer (Gemma 3n).

    Brandon et al. 2024, https://arxiv.org/abs/2405.12981
    """
    labels = {"qkv": N_("Queries"), "qk_norm": N_("Q norm")}
    return without_cache(_without(attention, ("k", "v"), QUERY_WIDTH, labels))


def keys_as_values(attention: Block) -> Block:
    """What the key projection makes is used as values too (Gemma 4)."""
    labels = {"qkv": N_("QK projection")}
    return _without(attention, ("v",), QUERY_WIDTH + KEY_WIDTH, labels)


def _without(
    attention: Block, left_out: tuple[str, ...], width: Size, labels: Mapping[str, str]
) -> Block:
    """The block without these tensors; ``width`` is that of what remains, ``labels`` its names."""
    return tuple(
        replace(
            step,
            label=labels.get(step.id, step.label),
            output=(step.output[0], width),
            tensors=tuple(tensor for tensor in step.tensors if tensor.label not in left_out),
        )
        if isinstance(step, Stage) and step.id in ("qkv", "qk_norm")
        else step
        for step in attention
    )
