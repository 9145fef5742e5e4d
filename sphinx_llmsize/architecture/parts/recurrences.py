"""Recurrent layers: Griffin's RG-LRU and RWKV's time and channel mixing."""

from __future__ import annotations

from sphinx_llmsize.algebra import Number, Size
from sphinx_llmsize.architecture.parts.state_spaces import causal_convolution
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D, H, T
from sphinx_llmsize.translation import N_


def recurrent_block(*, width: Size, block: Size) -> Block:
    """Two branches D → width, one with convolution and recurrence; their product back to D.

    Args:
        width: of the recurrence.
        block: of each of the H blocks on the diagonal of its gates.
    """
    branches = (
        *linear("gate_proj", D, width, "ssm", bias=True, label=N_("gate")),
        *linear("in_proj", D, width, "ssm", bias=True, label="x"),
    )
    out = linear("out_proj", width, D, "ssm", bias=True)
    return (
        Stage("mixer_input", N_("Input and gate"), Group.MIXER, (T, 2 * width), branches),
        causal_convolution(width, bias=True),
        Stage(
            "recurrence",
            N_("Linear recurrence"),
            Group.MIXER,
            (T, width),
            _gates(width, block),
            caches=((width,),),
        ),
        Stage("mixer_output", N_("Output projection"), Group.MIXER, (T, D), out),
    )


def _gates(width: Size, block: Size) -> tuple[Tensor, ...]:
    """An input and a recurrence gate, both block-diagonal, and how fast each channel forgets."""
    gates = tuple(
        Tensor(f"{name}_gate.{kind}", (H, *shape), "ssm", name, role)
        for name in (N_("input"), N_("recurrence"))
        for kind, shape, role in (
            ("weight", (block, block), Role.WEIGHT),
            ("bias", (block,), Role.BIAS),
        )
    )
    return (*gates, vector("decay", width, "ssm", label=N_("decay")))


TIME, CHANNEL = "rwkv_time_mix", "rwkv_channel_mix"


def time_mix(width: Size) -> Block:
    """A weighted mean over the past that decays in each channel at a speed of its own.

    Peng et al. 2023, https://arxiv.org/abs/2305.13048, section 3.1.
    """
    shifts = tuple(vector(f"time_shift_{name}", D, TIME, label=name) for name in "rkv")
    inputs = tuple(
        tensor
        for name in (N_("receptance"), N_("key"), N_("value"))
        for tensor in linear(f"time_{name}", D, width, TIME, label=name[0])
    )
    weights = (
        vector("time_decay", width, TIME, label=N_("decay")),
        vector("time_first", width, TIME, Role.BIAS, label=N_("first")),
    )
    return (
        Stage("time_shift", N_("Token shift"), Group.MIXER, (T, 3 * D), shifts, caches=((D,),)),
        Stage("time_in", N_("Receptance, key and value"), Group.MIXER, (T, 3 * width), inputs),
        Stage(
            "time_mix",
            N_("Weighted mean over time"),
            Group.MIXER,
            (T, width),
            weights,
            # numerator, denominator, and the maximum that both are scaled by
            caches=((Number(3), width),),
        ),
        Stage(
            "time_out",
            N_("Output projection"),
            Group.MIXER,
            (T, D),
            linear("time_out", width, D, TIME),
        ),
    )


def channel_mix(width: Size) -> Block:
    """A feed-forward whose output is gated, with a token shift before it (section 3.1)."""
    shifts = tuple(vector(f"channel_shift_{name}", D, CHANNEL, label=name) for name in "rk")
    up = linear("channel_key", D, width, CHANNEL, label="k")
    gate = linear("channel_receptance", D, D, CHANNEL, label="r")
    down = linear("channel_value", width, D, CHANNEL)
    group = Group.FEED_FORWARD
    return (
        Stage("channel_shift", N_("Token shift"), group, (T, 2 * D), shifts, caches=((D,),)),
        Stage("ffn_up", N_("FFN gate and up"), group, (T, width), (*up, *gate)),
        Stage("ffn_down", N_("FFN down"), group, (T, D), down),
    )
