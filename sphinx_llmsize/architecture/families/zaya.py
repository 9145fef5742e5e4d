"""ZAYA1: compressed convolutional attention, and a router that is an MLP."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Quantity, Symbol
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import first, layered
from sphinx_llmsize.architecture.parts.convolutional_attention import (
    W_0,
    W_1,
    convolutional_attention,
)
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.embeddings import token_embedding
from sphinx_llmsize.architecture.parts.experts import gated_experts, mixture_of_experts
from sphinx_llmsize.architecture.parts.linear import linear, vector
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.windows import by_layer_types, no_layer
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import EXPERT_DIM, EXPERTS_PER_TOKEN, NUM_EXPERTS, E
from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.layer_types import LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    D_H,
    H_KV,
    HEAD_DIM,
    HIDDEN_DIM,
    LM_HEAD_BIAS,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    L,
    T,
)
from sphinx_llmsize.config.windows import LISTED_WINDOWS, SLIDING_WINDOW
from sphinx_llmsize.translation import N_

R_R = Symbol("R_r", "hidden dimension of the router")

ROUTER_DIM = size_key(R_R, "router_dim", "router_hidden_size")
CHANNEL_CONV_WIDTH = size_key(W_0, "channel_conv_width", "cca_time0")
HEAD_CONV_WIDTH = size_key(W_1, "head_conv_width", "cca_time1")


def zaya(config: Config) -> tuple[Item, ...]:
    """Scaled residuals around both; routers read the one before, except in the first layer."""
    half = Quantity(
        "d_half", "half of the width of the values", config.count(H_KV) * config.count(D_H) // 2
    )
    before = Quantity(
        "W_b",
        "tokens before it that both convolutions see",
        config.count(W_0) + config.count(W_1) - 2,
    )
    attention = convolutional_attention(half, before, bias=config.flag(ATTENTION_BIAS))

    def block(place: str) -> Block:
        return (
            rms_norm("attention_norm", "Attention norm"),
            *attention,
            scaled_residual("attention_residual", "Residual after attention"),
            rms_norm("ffn_norm", "FFN norm"),
            *mixture_of_experts(gated_experts(), router=router_mlp(chained=place == "later")),
            scaled_residual("ffn_residual", "Residual after experts"),
        )

    return decoder(
        config,
        layered(config.count(L), block, place=first(1, "first", then="later")),
        norm=rms_norm,
        embeddings=(token_embedding(), scale_and_shift("input_scale", "Scaling of the input")),
        head_bias=config.flag(LM_HEAD_BIAS),
    )


def router_mlp(*, chained: bool) -> tuple[Tensor, ...]:
    """D → R_r → R_r → R_r → E + 1, of which the last stands for no expert at all.

    Args:
        chained: the router's states of the layer before are added, with a scale.
    """
    kind = "router"
    scale = vector("router.states_scale", R_R, kind, label="states")
    return (
        *linear("router.down_proj", D, R_R, kind, bias=True, label="down"),
        *((scale,) if chained else ()),
        vector("router.norm.weight", R_R, kind, label="norm"),
        *linear("router.fc1", R_R, R_R, kind, bias=True, label="first"),
        *linear("router.fc2", R_R, R_R, kind, bias=True, label="second"),
        *linear("router.out_proj", R_R, E + ONE, kind, label="out"),
    )


def scaled_residual(id: str, label: str) -> Stage:
    """A scale and a shift on the residual stream, and on what is added to it."""
    return Stage(
        id,
        label,
        Group.RESIDUAL,
        (T, D),
        (*_both(f"{id}.residual", N_("residual")), *_both(f"{id}.added", N_("added"))),
    )


def scale_and_shift(id: str, label: str) -> Stage:
    """A scale and a shift of D numbers."""
    return Stage(id, label, Group.RESIDUAL, (T, D), _both(id))


def _both(name: str, of: str = "") -> tuple[Tensor, ...]:
    scale, shift = N_("scale"), N_("shift")
    if of:
        scale, shift = N_("{of} scale", of=of), N_("{of} shift", of=of)
    return (
        vector(f"{name}.scale", D, "residual_scale", label=scale),
        vector(f"{name}.shift", D, "residual_scale", Role.BIAS, shift),
    )


ZAYA = Family(
    model_type="zaya",
    title="ZAYA1",
    source="https://huggingface.co/docs/transformers/model_doc/zaya",
    architectures=("ZayaForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 40,
        NUM_HEADS: 8,
        NUM_KV_HEADS: 2,
        HEAD_DIM: 128,
        CHANNEL_CONV_WIDTH: 2,
        HEAD_CONV_WIDTH: 2,
        NUM_EXPERTS: 16,
        EXPERTS_PER_TOKEN: 1,
        EXPERT_DIM: 2048,
        ROUTER_DIM: 256,
        SLIDING_WINDOW: None,
        LAYER_TYPES: None,
        VOCAB_SIZE: 262_272,
        ATTENTION_BIAS: False,
        LM_HEAD_BIAS: False,
        TIE_EMBEDDINGS: True,
    },
    compose=zaya,
    rules=(ATTENTION_HEADS, LISTED_WINDOWS),
    spans=by_layer_types(no_layer),
)

FAMILIES = (ZAYA,)
