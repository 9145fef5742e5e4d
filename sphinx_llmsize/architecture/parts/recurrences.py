"""Recurrent layers: Griffin's linear recurrence (RG-LRU), RWKV's time and channel mixing."""

from __future__ import annotations

from sphinx_llmsize.algebra import Number, Size
from sphinx_llmsize.architecture.parts.state_spaces import causal_convolution, mixer_output
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D, H, T
from sphinx_llmsize.translation import N_

TIME, CHANNEL = "rwkv_time_mix", "rwkv_channel_mix"
"""Components of the two halves of an RWKV layer."""


def recurrent_block(*, width: Size, block_size: Size) -> Block:
    """Griffin's recurrent block: a convolution and a gated linear recurrence, times a gate.

    De et al. 2024, https://arxiv.org/abs/2402.19427, section 2.4.

    Args:
        width: channels of the recurrence.
        block_size: rows of each of the H square blocks of a block-diagonal gate.
    """
    branches = (
        *linear("gate_proj", D, width, "ssm", bias=True, label=N_("gate")),
        *linear("in_proj", D, width, "ssm", bias=True, label="x"),
    )
    tensors = (
        *_block_diagonal("input_gate", N_("input"), block_size),
        *_block_diagonal("recurrence_gate", N_("recurrence"), block_size),
        vector("decay", width, "ssm", label=N_("decay")),
    )
    return (
        Stage("mixer_input", N_("Input and gate"), Group.MIXER, (T, 2 * width), branches),
        causal_convolution(width, bias=True),
        Stage(
            "recurrence",
            N_("Linear recurrence"),
            Group.MIXER,
            (T, width),
            tensors,
            caches=((width,),),
        ),
        mixer_output(width, bias=True),
    )


def _block_diagonal(name: str, label: str, block_size: Size) -> tuple[Tensor, ...]:
    """H matrices block_size × block_size, and their biases."""
    return (
        Tensor(f"{name}.weight", (H, block_size, block_size), "ssm", label),
        Tensor(f"{name}.bias", (H, block_size), "ssm", label, Role.BIAS),
    )


def time_mix(width: Size) -> Block:
    """RWKV's mean over past tokens, with a learned decay for each channel.

    Peng et al. 2023, https://arxiv.org/abs/2305.13048, section 3.1.
    """
    shifts = tuple(vector(f"time_shift_{name}", D, TIME, label=name) for name in "rkv")
    inputs = (
        *linear("time_receptance", D, width, TIME, label="r"),
        *linear("time_key", D, width, TIME, label="k"),
        *linear("time_value", D, width, TIME, label="v"),
    )
    weights = (
        vector("time_decay", width, TIME, label=N_("decay")),
        # added to the key of the current token, which does not decay yet
        vector("time_first", width, TIME, Role.BIAS, label=N_("first")),
    )
    output = linear("time_out", width, D, TIME)
    group = Group.MIXER
    return (
        Stage("time_shift", N_("Token shift"), group, (T, 3 * D), shifts, caches=((D,),)),
        Stage("time_in", N_("Receptance, key and value"), group, (T, 3 * width), inputs),
        Stage(
            "time_mix",
            N_("Weighted mean over time"),
            group,
            (T, width),
            weights,
            # numerator, denominator, and the maximum exponent that scales both
            caches=((Number(3), width),),
        ),
        Stage("time_out", N_("Output projection"), group, (T, D), output),
    )


def channel_mix(width: Size) -> Block:
    """RWKV's feed-forward network with a token shift and an output gate; see :func:`time_mix`."""
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
