"""Recurrent networks in place of attention: RWKV's mixing and xLSTM's matrix memory."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.linear import linear, vector
from sphinx_llmsize.architecture.pieces import Block, Group, Role, Stage
from sphinx_llmsize.config.vocabulary import D, H, T

TIME, CHANNEL = "rwkv_time_mix", "rwkv_channel_mix"


def time_mix(width: Size) -> Block:
    """A weighted mean over the past that decays in each channel at a speed of its own.

    Peng et al. 2023, https://arxiv.org/abs/2305.13048, section 3.1.
    """
    shifts = tuple(vector(f"time_shift_{name}", D, TIME, label=name) for name in "rkv")
    inputs = tuple(
        tensor
        for name in ("receptance", "key", "value")
        for tensor in linear(f"time_{name}", D, width, TIME, label=name[0])
    )
    weights = (
        vector("time_decay", width, TIME, label="decay"),
        vector("time_first", width, TIME, Role.BIAS, label="first"),
    )
    return (
        Stage("time_shift", "Token shift", Group.MIXER, (T, 3 * D), shifts),
        Stage("time_in", "Receptance, key and value", Group.MIXER, (T, 3 * width), inputs),
        Stage("time_mix", "Weighted mean over time", Group.MIXER, (T, width), weights),
        Stage("time_out", "Mixer output", Group.MIXER, (T, D), linear("time_out", width, D, TIME)),
    )


def channel_mix(width: Size) -> Block:
    """A feed-forward whose output is gated, with a token shift before it (section 3.1)."""
    shifts = tuple(vector(f"channel_shift_{name}", D, CHANNEL, label=name) for name in "rk")
    up = linear("channel_key", D, width, CHANNEL, label="k")
    gate = linear("channel_receptance", D, D, CHANNEL, label="r")
    down = linear("channel_value", width, D, CHANNEL)
    group = Group.FEED_FORWARD
    return (
        Stage("channel_shift", "Token shift", group, (T, 2 * D), shifts),
        Stage("ffn_up", "FFN up and gate", group, (T, width), (*up, *gate)),
        Stage("ffn_down", "FFN down", group, (T, D), down),
    )


def mlstm(*, query: Size, value: Size, bias: bool) -> Block:
    """A memory that each head adds value × key to, with an input, a forget and an output gate.

    Beck et al. 2024, https://arxiv.org/abs/2405.04517, section 2.3; as in xLSTM 7B.

    Args:
        query: width of all heads' queries together, and of all keys.
        value: width of all heads' values together.
        bias: biases on all projections; the gates of the heads always have them.
    """
    widths = {"q": query, "k": query, "v": value, "output_gate": value}
    projections = tuple(
        tensor
        for name, width in widths.items()
        for tensor in linear(f"{name}_proj", D, width, "ssm", label=name[0], bias=bias)
    )
    gates = tuple(
        tensor
        for name in ("input", "forget")
        for tensor in linear(f"{name}_gate", D, H, "ssm", label=name, bias=True)
    )
    scale = vector("head_norm.weight", value, "ssm", label="scale" if bias else "")
    shift = vector("head_norm.bias", value, "ssm", Role.BIAS, "bias")
    norm = (scale, shift) if bias else (scale,)
    output = linear("out_proj", value, D, "ssm", bias=bias)
    projected = (T, 2 * query + 2 * value)
    return (
        Stage("mixer_input", "QKV and output gate", Group.MIXER, projected, projections),
        Stage("gates", "Input and forget gates", Group.MIXER, (T, 2 * H), gates),
        Stage("memory", "Matrix memory", Group.MIXER, (T, value)),
        Stage("head_norm", "Norm of each head", Group.MIXER, (T, value), norm),
        Stage("mixer_output", "Output projection", Group.MIXER, (T, D), output),
    )
