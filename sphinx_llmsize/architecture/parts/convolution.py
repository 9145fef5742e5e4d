"""Causal convolutions along the sequence."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D, T, W
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
