"""Linear attention: recurrent states instead of scores for all pairs of tokens."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.state_spaces import (
    causal_convolution,
    gated_norm,
    mixer_output,
    state_products,
)
from sphinx_llmsize.architecture.parts.weights import linear, norm_tensors, vector
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_H, D_L, D_LK, D_LV, H_L, H_LK, H_LV, D, H, T
from sphinx_llmsize.translation import N_

KEY_DIMS = H_LK * D_LK
"""Dimensions of all key heads together."""
VALUE_DIMS = H_LV * D_LV
"""Dimensions of all value heads together."""
CHANNELS = H_L * D_L
"""Dimensions of all heads together, where keys and values have the same heads."""


def gated_delta_net() -> Block:
    """Queries, keys and values after a convolution, and a state with decay and delta rule.

    Yang et al. 2024, https://arxiv.org/abs/2412.06464; as in Qwen3-Next, with H_lk key heads
    that H_lv value heads share, and an output gate z.
    """
    projections = (
        *linear("qkv_proj", D, 2 * KEY_DIMS + VALUE_DIMS, "ssm", label="qkv"),
        *linear("z_proj", D, VALUE_DIMS, "ssm", label=N_("output gate")),
        *linear("b_proj", D, H_LV, "ssm", label=N_("update")),
        *linear("a_proj", D, H_LV, "ssm", label=N_("decay")),
    )
    gates = (
        vector("A_log", H_LV, "ssm", label="A"),
        vector("dt_bias", H_LV, "ssm", Role.BIAS, N_("time steps")),
    )
    state = (H_LV, D_LK, D_LV)
    projected = (T, 2 * KEY_DIMS + 2 * VALUE_DIMS + 2 * H_LV)
    return (
        Stage("mixer_input", N_("QKV and gates"), Group.MIXER, projected, projections),
        causal_convolution(2 * KEY_DIMS + VALUE_DIMS, bias=False),
        Stage(
            "delta_rule",
            N_("Gated delta rule"),
            Group.MIXER,
            (T, VALUE_DIMS),
            gates,
            intermediate=state,
            computes=state_products(D_LK, D_LV, H_LV, corrected=True),
            caches=(state,),
        ),
        gated_norm(scales=D_LV, width=VALUE_DIMS),
        mixer_output(VALUE_DIMS),
    )


def lightning_attention() -> Block:
    """Linear attention with a fixed decay for each head, then a norm and an output gate.

    MiniMax-01, https://arxiv.org/abs/2501.08313, section 2.2
    """
    width = H * D_H
    qkv = linear("qkv_proj", D, 3 * width, "ssm")
    norm = vector("linear_norm.weight", width, "ssm")
    gate = linear("gate_proj", D, width, "ssm")
    state = (H, D_H, D_H)
    return (
        Stage("mixer_input", N_("QKV projection"), Group.MIXER, (T, 3 * width), qkv),
        Stage(
            "lightning",
            N_("Lightning attention"),
            Group.MIXER,
            (T, width),
            intermediate=state,
            computes=state_products(D_H, D_H, H),
            caches=(state,),
        ),
        Stage("linear_norm", N_("Norm of all heads"), Group.MIXER, (T, width), (norm,)),
        Stage("mixer_gate", N_("Output gate"), Group.MIXER, (T, width), gate),
        mixer_output(width, name="o_proj"),
    )


def kimi_delta_attention(*, low_rank_gates: bool) -> Block:
    """A gated delta rule with a learned decay for each channel of the state.

    Kimi Linear, https://arxiv.org/abs/2510.26692, section 3

    Args:
        low_rank_gates: the gates for decay and output pass through d_l dimensions; otherwise
            each is one matrix.
    """
    state = (H_L, D_L, D_L)
    rule = Stage(
        "delta_rule",
        N_("Delta rule"),
        Group.MIXER,
        (T, CHANNELS),
        intermediate=state,
        computes=state_products(D_L, D_L, H_L, corrected=True),
        caches=(state,),
    )
    output_gate = _gate("output_gate", low_rank=low_rank_gates)
    return (
        Parallel((_convolved_qkv(), (_decay_and_update(low_rank=low_rank_gates),))),
        rule,
        Stage("mixer_gate", N_("Output gate"), Group.MIXER, (T, CHANNELS), output_gate),
        gated_norm(scales=D_L, width=CHANNELS),
        mixer_output(CHANNELS, name="o_proj"),
    )


def _convolved_qkv() -> Block:
    """Queries, keys and values of all channels, each after a convolution."""
    qkv = (
        *linear("q_proj", D, CHANNELS, "ssm", label="q"),
        *linear("k_proj", D, CHANNELS, "ssm", label="k"),
        *linear("v_proj", D, CHANNELS, "ssm", label="v"),
    )
    return (
        Stage("mixer_input", N_("QKV projection"), Group.MIXER, (T, 3 * CHANNELS), qkv),
        causal_convolution(3 * CHANNELS, bias=False),
    )


def _decay_and_update(*, low_rank: bool) -> Stage:
    """Gates for the decay of each channel, and for the strength of each head's update (b)."""
    gates = (
        *_gate("decay", low_rank=low_rank),
        *linear("b_proj", D, H_L, "ssm", label=N_("update")),
        vector("A_log", H_L, "ssm", label="A"),
        vector("dt_bias", CHANNELS, "ssm", Role.BIAS, N_("time steps")),
    )
    return Stage("decay", N_("Decay and update gates"), Group.MIXER, (T, CHANNELS + H_L), gates)


def _gate(name: str, *, low_rank: bool) -> tuple[Tensor, ...]:
    """One matrix from D to all channels, or two with d_l dimensions between them."""
    if not low_rank:
        return linear(f"{name}_proj", D, CHANNELS, "ssm", label=N_("gate"))
    return (
        *linear(f"{name}_down", D, D_L, "ssm", label=N_("gate down")),
        *linear(f"{name}_up", D_L, CHANNELS, "ssm", label=N_("gate up")),
    )


def mlstm(*, query: Size, value: Size, head_dims: tuple[Size, Size], bias: bool) -> Block:
    """Matrix memory of xLSTM, with an input, a forget and an output gate.

    Beck et al. 2024, https://arxiv.org/abs/2405.04517, section 2.3; as in xLSTM 7B.

    Args:
        query: dimensions of all heads' queries together, and of all keys.
        value: dimensions of all heads' values together.
        head_dims: dimensions of a head's keys and of its values.
        bias: biases on all projections; the input and forget gates always have biases.
    """
    norm = norm_tensors("head_norm", value, "ssm", bias=bias)
    return (
        _mlstm_inputs(query, value, bias=bias),
        Stage(
            "memory",
            N_("Matrix memory"),
            Group.MIXER,
            (T, value),
            computes=state_products(*head_dims, H),
            # per head: the matrix, its normaliser, and the maximum exponent that scales both
            caches=((H, *head_dims), (H, head_dims[0]), (H,)),
        ),
        Stage("head_norm", N_("Norm of each head"), Group.MIXER, (T, value), norm),
        mixer_output(value, bias=bias),
    )


def _mlstm_inputs(query: Size, value: Size, *, bias: bool) -> Parallel:
    """Queries, keys, values and the three gates; the arguments are those of :func:`mlstm`."""
    projections = (
        *linear("q_proj", D, query, "ssm", label="q", bias=bias),
        *linear("k_proj", D, query, "ssm", label="k", bias=bias),
        *linear("v_proj", D, value, "ssm", label="v", bias=bias),
        *linear("output_gate_proj", D, value, "ssm", label="o", bias=bias),
    )
    gates = (
        *linear("input_gate", D, H, "ssm", label=N_("input"), bias=True),
        *linear("forget_gate", D, H, "ssm", label=N_("forget"), bias=True),
    )
    projected = (T, 2 * query + 2 * value)
    inputs = Stage("mixer_input", N_("QKV and output gate"), Group.MIXER, projected, projections)
    gate = Stage("gates", N_("Input and forget gates"), Group.MIXER, (T, 2 * H), gates)
    return Parallel(((inputs,), (gate,)))
