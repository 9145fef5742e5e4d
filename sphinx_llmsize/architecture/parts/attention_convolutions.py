"""Attention with convolutions on queries, keys or values: ZAYA and Inkling."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size, Symbol
from sphinx_llmsize.architecture.parts.block_edits import inserted, with_weights
from sphinx_llmsize.architecture.parts.self_attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    attention,
    output_gate,
)
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_H, H_KV, D, H, T, W
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


D_R = Symbol("d_r", N_("dimension of a head's relative states"))
P_R = Symbol("P_r", N_("distances that have a bias"))
KV_TAPS = H_KV * W


PROJECTED = QUERY_WIDTH + 2 * KEY_WIDTH + H * D_R
"""Queries, keys, values and relative states."""


def relative_attention(norms: Block = (), convolution: Block | None = None) -> Block:
    """Grouped-query attention; keys and values pass a convolution, scores get relative biases.

    Each head makes d_r relative states from D, which weigh d_r × P_r shared biases.

    Args:
        norms: on queries, keys or values.
        convolution: that of keys and values, W numbers for each channel unless told.
    """
    qkv = (
        *linear("q_proj", D, QUERY_WIDTH, "attn_q", label="q"),
        *linear("k_proj", D, KEY_WIDTH, "attn_k", label="k"),
        *linear("v_proj", D, KEY_WIDTH, "attn_v", label="v"),
        *linear("r_proj", D, H * D_R, "attn_relative", label=N_("relative")),
    )
    return attention(
        qkv,
        linear("o_proj", QUERY_WIDTH, D, "attn_o"),
        qkv_width=PROJECTED,
        norms=(*(convolution or kv_convolution()), *norms),
        scores=(
            Tensor(
                "relative_bias", (D_R, P_R), "attn_relative", N_("relative biases"), applications=H
            ),
        ),
    )


def clipped(attention: Block) -> Block:
    """Scales on clipped queries and relative states, gates, and sinks made from the input."""
    scales = (
        Tensor("q_clip.weight", (H, D_H), "qk_norm", "q", Role.SCALE),
        Tensor("relative_clip.weight", (H, D_R), "qk_norm", N_("relative"), Role.SCALE),
    )
    clip = Stage("qk_norm", N_("Clipping of Q and K"), Group.NORMS, (T, PROJECTED), scales)
    gated = inserted(attention, output_gate(), before="attention_output")
    sinks = linear("sink_proj", D, H, "attn_sinks", label=N_("sinks"))
    return with_weights(inserted(gated, clip, before="scores"), *sinks, of="scores")


def kv_convolution() -> Block:
    """One convolution over the keys and one over the values."""
    tensors = tuple(
        Tensor(f"{name}_conv.weight", (KEY_WIDTH, W), "ssm", name, Role.FILTER)
        for name in ("k", "v")
    )
    return _kv_stage(tensors)


def dynamic_kv_convolution() -> Block:
    """The same, with weights made from the layer's input for each head added to them."""
    tensors = tuple(
        tensor
        for name in ("k", "v")
        for tensor in (
            Tensor(f"{name}_conv.weight", (KEY_WIDTH, W), "ssm", name, Role.FILTER),
            *linear(
                f"{name}_conv.dynamic", D, KV_TAPS, "ssm", label=N_("{name} dynamic", name=name)
            ),
        )
    )
    return _kv_stage(tensors)


def output_convolution(id: str, label: str) -> Stage:
    """A convolution over what attention or feed-forward gives, before it is added."""
    weight = Tensor(f"{id}.weight", (D, W), "ssm", role=Role.FILTER)
    return Stage(id, label, Group.MIXER, (T, D), (weight,), caches=((W, D),))


def _kv_stage(tensors: tuple[Tensor, ...]) -> Block:
    label = N_("Convolutions of K and V")
    caches = ((W, KEY_WIDTH),) * 2
    return (Stage("kv_convolution", label, Group.MIXER, (T, PROJECTED), tensors, caches=caches),)
