"""Causal convolutions, recurrent states, and state-space models: Mamba and Mamba-2."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.matmul import MatMul
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import G_M, H_M, R_DT, D, S, T, W, X
from sphinx_llmsize.translation import N_


def causal_convolution(width: Size, *, bias: bool) -> Stage:
    """W numbers for each channel, which sees itself and the W - 1 tokens before."""
    tensors = depthwise(width, bias=bias)
    return Stage(
        "convolution",
        N_("Causal convolution"),
        Group.MIXER,
        (T, width),
        tensors,
        caches=((W, width),),
    )


def short_convolution(*, bias: bool) -> Block:
    """LFM2's operator: a convolution between two gates, all three projected from D at once.

    Liquid AI 2025, https://arxiv.org/abs/2511.23404

    Args:
        bias: biases on the convolution and on both projections.
    """
    into = linear("in_proj", D, 3 * D, "ssm", bias=bias)
    out = linear("out_proj", D, D, "ssm", bias=bias)
    return (
        Stage("mixer_input", N_("Gates and values"), Group.MIXER, (T, 3 * D), into),
        causal_convolution(D, bias=bias),
        Stage("mixer_output", N_("Output projection"), Group.MIXER, (T, D), out),
    )


def depthwise(width: Size, *, bias: bool) -> tuple[Tensor, ...]:
    """The weight of a convolution that mixes no channels: width × W, and a bias of width."""
    weight = Tensor("conv.weight", (width, W), "ssm", role=Role.FILTER)
    return (weight, vector("conv.bias", width, "ssm", Role.BIAS)) if bias else (weight,)


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


INNER = X * D


def mamba(*, bias: bool, conv_bias: bool, norms: bool = False, width: Size = INNER) -> Block:
    """Mamba: channels, each with a state of S numbers of its own.

    Gu & Dao 2023, https://arxiv.org/abs/2312.00752

    Args:
        bias: biases on the projections from D and to D.
        conv_bias: a bias on the convolution.
        norms: on the time steps, B and C before they are used (Jamba).
        width: how many channels.
    """
    selection = linear("x_proj", width, R_DT + 2 * S, "ssm")
    steps = linear("dt_proj", R_DT, width, "ssm", bias=True)
    return (
        _input(2 * width, bias=bias),
        causal_convolution(width, bias=conv_bias),
        Stage("selection", N_("Time steps, B and C"), Group.MIXER, (T, R_DT + 2 * S), selection),
        *((_selection_norms(),) if norms else ()),
        Stage("time_steps", N_("Time steps of each channel"), Group.MIXER, (T, width), steps),
        _state_space(
            width,
            (
                Tensor("A_log", (width, S), "ssm", "A", Role.SCALE),
                vector("D", width, "ssm", label=N_("skip")),
            ),
        ),
        _output(width, bias=bias),
    )


def mamba2(
    *,
    bias: bool,
    conv_bias: bool,
    output_bias: bool | None = None,
    width: Size = INNER,
    norm: bool = True,
) -> Block:
    """Mamba-2: H_m heads, in G_m groups that have B and C in common.

    Dao & Gu 2024, https://arxiv.org/abs/2405.21060

    Args:
        bias: biases on the projections from D and to D.
        conv_bias: a bias on the convolution.
        output_bias: a bias on the projection to D; as on the other, unless told.
        width: of all heads together.
        norm: a gated norm before the projection to D.
    """
    convolved = width + 2 * G_M * S
    return (
        _input(2 * width + 2 * G_M * S + H_M, bias=bias),
        causal_convolution(convolved, bias=conv_bias),
        _state_space(
            width,
            (
                vector("A_log", H_M, "ssm", label="A"),
                vector("D", H_M, "ssm", label=N_("skip")),
                vector("dt_bias", H_M, "ssm", Role.BIAS, N_("time steps")),
            ),
        ),
        *((gated_norm(width, width),) if norm else ()),
        _output(width, bias=bias if output_bias is None else output_bias),
    )


def gated_norm(scale: Size, width: Size) -> Stage:
    """A norm of what leaves the states, times a gate that another branch has computed.

    Args:
        scale: how many numbers its scale has.
        width: of what passes through it.
    """
    weight = vector("gated_norm.weight", scale, "ssm")
    return Stage("gated_norm", N_("Gated norm"), Group.MIXER, (T, width), (weight,))


def _input(width: Size, *, bias: bool) -> Stage:
    tensors = linear("in_proj", D, width, "ssm", bias=bias)
    return Stage("mixer_input", N_("Input projection"), Group.MIXER, (T, width), tensors)


def _selection_norms() -> Stage:
    scales = (
        vector("dt_norm.weight", R_DT, "ssm", label=N_("time steps")),
        vector("b_norm.weight", S, "ssm", label="B"),
        vector("c_norm.weight", S, "ssm", label="C"),
    )
    label = N_("Norms of time steps, B and C")
    return Stage("selection_norms", label, Group.MIXER, (T, R_DT + 2 * S), scales)


def _state_space(width: Size, tensors: tuple[Tensor, ...]) -> Stage:
    return Stage(
        "state_space",
        N_("States"),
        Group.MIXER,
        (T, width),
        tensors,
        inner=(width, S),
        computes=state_products(S, width, names=STATE_SPACE_NAMES),
        caches=((width, S),),
    )


def _output(width: Size, *, bias: bool) -> Stage:
    tensors = linear("out_proj", width, D, "ssm", bias=bias)
    return Stage("mixer_output", N_("Output projection"), Group.MIXER, (T, D), tensors)
