"""Compressed convolutional attention (Figliolia et al. 2025, https://arxiv.org/abs/2510.04476)."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size, Symbol
from sphinx_llmsize.architecture.parts.self_attention import KEY_WIDTH, QUERY_WIDTH, attention
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_H, H_KV, D, T
from sphinx_llmsize.translation import N_

W_0 = Symbol("W_0", N_("width of the convolution within channels"))
W_1 = Symbol("W_1", N_("width of the convolution within heads"))


def convolutional_attention(half: Size, before: Size, *, bias: bool) -> Block:
    """Narrow queries and keys through two convolutions; half of each value from a token before.

    One convolution has W_0 numbers for each channel; the other mixes the d_h channels of each
    head over W_1 tokens. A temperature scales each head's keys.

    Args:
        half: of the width of all value heads.
        before: how many tokens before it both convolutions together see.
        bias: biases on the projections; the convolutions always have theirs.
    """
    channels = QUERY_WIDTH + KEY_WIDTH
    qkv = (
        *linear("q_proj", D, QUERY_WIDTH, "attn_q", bias=bias, label="q"),
        *linear("k_proj", D, KEY_WIDTH, "attn_k", bias=bias, label="k"),
        *linear("v_proj", D, half, "attn_v", bias=bias, label="v"),
        *linear("v_before_proj", D, half, "attn_v", bias=bias, label=N_("v of the token before")),
    )
    convolutions = (
        *_convolution("channel_conv", (channels, W_0), channels, N_("channels")),
        *_convolution("head_conv", (channels, D_H, W_1), channels, N_("heads")),
    )
    temperature = vector("k_norm.temperature", H_KV, "qk_norm", label="k")
    output = (T, channels + KEY_WIDTH)
    return attention(
        qkv,
        linear("o_proj", QUERY_WIDTH, D, "attn_o", bias=bias),
        qkv_width=channels + KEY_WIDTH,
        norms=(
            Stage(
                "convolutions",
                N_("Convolutions of Q and K"),
                Group.MIXER,
                output,
                convolutions,
                caches=((before, channels), (half,)),
            ),
            Stage("qk_norm", N_("Q and K norms"), Group.NORMS, output, (temperature,)),
        ),
    )


def _convolution(
    name: str, shape: tuple[Size, ...], channels: Size, label: str
) -> tuple[Tensor, ...]:
    weight = Tensor(f"{name}.weight", shape, "ssm", label, Role.FILTER)
    return (weight, vector(f"{name}.bias", channels, "ssm", Role.BIAS, label))
