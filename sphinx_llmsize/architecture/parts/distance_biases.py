"""Attention without rotary positions: a learned bias for each distance, mixed for each head.

Inkling, https://huggingface.co/docs/transformers/model_doc/inkling.
"""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.parts.blocks import inserted, with_weights
from sphinx_llmsize.architecture.parts.self_attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    attention,
    output_gate,
)
from sphinx_llmsize.architecture.parts.weights import linear
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_H, H_KV, D, H, T, W
from sphinx_llmsize.translation import N_

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
