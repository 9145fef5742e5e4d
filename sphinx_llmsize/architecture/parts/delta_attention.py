"""Kimi Delta Attention (Kimi Linear, https://arxiv.org/abs/2510.26692, section 3)."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.convolution import causal_convolution
from sphinx_llmsize.architecture.parts.linear import linear, vector
from sphinx_llmsize.architecture.parts.mamba import gated_norm
from sphinx_llmsize.architecture.pieces import Block, Group, Role, Stage, Tensor
from sphinx_llmsize.config.mixers import D_L, H_L
from sphinx_llmsize.config.vocabulary import D, T

WIDTH = H_L * D_L


def kimi_delta_attention(*, low_rank_gates: bool) -> Block:
    """A gated delta rule whose state decays by itself in every channel.

    Args:
        low_rank_gates: the gates of decay and of the output go through d_l numbers; else one
            matrix makes each.
    """
    qkv = tuple(
        tensor
        for name in ("q", "k", "v")
        for tensor in linear(f"{name}_proj", D, WIDTH, "ssm", label=name)
    )
    gates = (
        *_gate("decay", low_rank=low_rank_gates),
        *linear("b_proj", D, H_L, "ssm", label="b"),
        vector("A_log", H_L, "ssm", label="A"),
        vector("dt_bias", WIDTH, "ssm", Role.BIAS, "time steps"),
    )
    output_gate = _gate("output_gate", low_rank=low_rank_gates)
    rule = Stage("delta_rule", "Delta rule", Group.MIXER, (T, WIDTH), inner=(H_L, D_L, D_L))
    return (
        Stage("mixer_input", "QKV projection", Group.MIXER, (T, 3 * WIDTH), qkv),
        causal_convolution(3 * WIDTH, bias=False),
        Stage("decay", "Decay and update gates", Group.MIXER, (T, WIDTH + H_L), gates),
        rule,
        Stage("mixer_gate", "Output gate", Group.MIXER, (T, WIDTH), output_gate),
        gated_norm(D_L, WIDTH),
        Stage(
            "mixer_output",
            "Output projection",
            Group.MIXER,
            (T, D),
            linear("o_proj", WIDTH, D, "ssm"),
        ),
    )


def _gate(name: str, *, low_rank: bool) -> tuple[Tensor, ...]:
    if not low_rank:
        return linear(f"{name}_proj", D, WIDTH, "ssm", label="gate")
    down: Size = D_L
    return (
        *linear(f"{name}_down", D, down, "ssm", label="gate down"),
        *linear(f"{name}_up", down, WIDTH, "ssm", label="gate up"),
    )
