"""Attention with convolutions on queries, keys or values (ZAYA, Inkling), and its variants."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size, Symbol
from sphinx_llmsize.architecture.parts.block_edits import add_tensors, insert
from sphinx_llmsize.architecture.parts.self_attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    attention,
    output_gate,
    qkv_projections,
    with_gate,
)
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Shape, Tensor
from sphinx_llmsize.config.symbols import D_H, H_KV, D, H, T, W
from sphinx_llmsize.translation import N_

W_0 = Symbol("W_0", N_("width of the convolution within channels"))
W_1 = Symbol("W_1", N_("width of the convolution within heads"))
D_R = Symbol("d_r", N_("dimension of a head's relative states"))
P_R = Symbol("P_r", N_("distances that have a bias"))
QKV_RELATIVE_WIDTH = QUERY_WIDTH + 2 * KEY_WIDTH + H * D_R
"""Width of queries, keys, values and relative states together."""


def convolutional_attention(half_width: Size, earlier_tokens: Size, *, bias: bool) -> Block:
    """Compressed convolutional attention: two convolutions on narrow queries and keys.

    The first has W_0 weights for each channel. The second mixes the d_h channels of a head over
    W_1 tokens. A temperature scales each head's keys. Half of each value comes from the token
    before. Figliolia et al. 2025, https://arxiv.org/abs/2510.04476.

    Args:
        half_width: half of the width of all values.
        earlier_tokens: number of earlier tokens that both convolutions together read.
        bias: biases on the projections; the convolutions always have them.
    """
    qkv = (
        *linear("q_proj", D, QUERY_WIDTH, "attn_q", bias=bias, label="q"),
        *linear("k_proj", D, KEY_WIDTH, "attn_k", bias=bias, label="k"),
        *linear("v_proj", D, half_width, "attn_v", bias=bias, label="v"),
        *linear(
            "v_before_proj",
            D,
            half_width,
            "attn_v",
            bias=bias,
            label=N_("values of the previous token"),
        ),
    )
    width = QUERY_WIDTH + KEY_WIDTH + KEY_WIDTH
    temperature = vector("k_norm.temperature", H_KV, "qk_norm", label="k")
    return attention(
        qkv,
        linear("o_proj", QUERY_WIDTH, D, "attn_o", bias=bias),
        qkv_width=width,
        norms=(
            _qk_convolutions(half_width, earlier_tokens),
            Stage("qk_norm", N_("Q and K norms"), Group.NORMS, (T, width), (temperature,)),
        ),
    )


def _qk_convolutions(half_width: Size, earlier_tokens: Size) -> Stage:
    """Both convolutions; the arguments are those of :func:`convolutional_attention`."""
    channels = QUERY_WIDTH + KEY_WIDTH
    return Stage(
        "convolutions",
        N_("Convolutions of Q and K"),
        Group.MIXER,
        (T, channels + KEY_WIDTH),  # with the values, which pass unchanged
        (
            *_convolution("channel_conv", (channels, W_0), channels, N_("channels")),
            *_convolution("head_conv", (channels, D_H, W_1), channels, N_("heads")),
        ),
        # inputs of the convolutions, and the half of the values for the next token
        caches=((earlier_tokens, channels), (half_width,)),
    )


def _convolution(name: str, shape: Shape, channels: Size, label: str) -> tuple[Tensor, ...]:
    """Weights of this shape and a bias for each channel."""
    weight = Tensor(f"{name}.weight", shape, "ssm", label, Role.FILTER)
    return (weight, vector(f"{name}.bias", channels, "ssm", Role.BIAS, label))


def relative_attention(norms: Block = (), convolution: Block | None = None) -> Block:
    """Grouped-query attention with convolutions on keys and values, and relative biases.

    Each head computes d_r relative states. A matrix d_r × P_r, shared by all heads, projects them
    to a bias for each distance (Inkling,
    https://huggingface.co/docs/transformers/model_doc/inkling).

    Args:
        norms: norms on queries, keys or values.
        convolution: convolutions on keys and values; :func:`kv_convolution` by default.
    """
    qkv = (*qkv_projections(), *linear("r_proj", D, H * D_R, "attn_relative", label=N_("relative")))
    biases = Tensor(
        "relative_bias", (D_R, P_R), "attn_relative", N_("relative biases"), applications=H
    )
    return attention(
        qkv,
        linear("o_proj", QUERY_WIDTH, D, "attn_o"),
        qkv_width=QKV_RELATIVE_WIDTH,
        norms=(*(kv_convolution() if convolution is None else convolution), *norms),
        scores=(biases,),
    )


def clipped_attention(unclipped: Block) -> Block:
    """Attention with clipped queries and relative states, an output gate, and computed sinks.

    The clipping has learned weights; a projection of the layer's input computes the sinks
    (Inkling 2).
    """
    scales = (
        Tensor("q_clip.weight", (H, D_H), "qk_norm", "q", Role.SCALE),
        Tensor("relative_clip.weight", (H, D_R), "qk_norm", N_("relative"), Role.SCALE),
    )
    clip = Stage(
        "qk_norm",
        N_("Clipping of Q and relative states"),
        Group.NORMS,
        (T, QKV_RELATIVE_WIDTH),
        scales,
    )
    gated = with_gate(insert(unclipped, clip, before="scores"), (output_gate(),))
    sinks = linear("sink_proj", D, H, "attn_sinks", label=N_("sinks"))
    return add_tensors(gated, *sinks, to="scores")


def kv_convolution(*, dynamic: bool = False) -> Block:
    """One convolution on the keys and one on the values of :func:`relative_attention`.

    Queries and relative states pass unchanged.

    Args:
        dynamic: each also has weights computed from the layer's input, W for each key/value head.
    """
    caches = ((W, KEY_WIDTH),) * 2
    tensors: list[Tensor] = []
    for name in ("k", "v"):
        tensors.append(Tensor(f"{name}_conv.weight", (KEY_WIDTH, W), "ssm", name, Role.FILTER))
        if dynamic:
            label = N_("{name} dynamic", name=name)
            tensors += linear(f"{name}_conv.dynamic", D, H_KV * W, "ssm", label=label)
    return (
        Stage(
            "kv_convolution",
            N_("Convolutions of K and V"),
            Group.MIXER,
            (T, QKV_RELATIVE_WIDTH),
            tuple(tensors),
            caches=caches,
        ),
    )


def output_convolution(id: str, label: str) -> Stage:
    """A convolution on the output of attention or of a feed-forward network."""
    weight = Tensor(f"{id}.weight", (D, W), "ssm", role=Role.FILTER)
    return Stage(id, label, Group.MIXER, (T, D), (weight,), caches=((W, D),))
