"""ZAYA1: compressed convolutional attention, and experts chosen by an MLP."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Quantity, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.architecture.layers import first, layer_stacks
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_H, H_KV, D, E, L, T
from sphinx_llmsize.translation import N_

R_R = Symbol("R_r", N_("hidden dimension of the router"))
ROUTER_DIM = k.size_key(R_R, "router_dim router_hidden_size")
CHANNEL_CONV_WIDTH = k.size_key(parts.W_0, "channel_conv_width cca_time0")
HEAD_CONV_WIDTH = k.size_key(parts.W_1, "head_conv_width cca_time1")


def zaya(config: Config) -> Items:
    """Convolutional attention, then experts; residual connections have learned scales.

    Each router but the first also reads the states of the previous layer's router.
    """
    half_width = Quantity(
        "d_half", N_("half the width of the values"), config.count(H_KV) * config.count(D_H) // 2
    )
    # a convolution of width W covers W − 1 tokens before the current one
    earlier_tokens = Quantity(
        "W_b",
        N_("earlier tokens that both convolutions cover"),
        config.count(parts.W_0) + config.count(parts.W_1) - 2,
    )
    attention = parts.convolutional_attention(
        half_width, earlier_tokens, bias=config.flag(k.ATTENTION_BIAS)
    )

    def block(kind: LayerKind) -> Block:
        router = router_mlp(chained=kind == parts.LATER)
        experts = parts.mixture_of_experts(parts.gated_experts(), router=router)
        return parts.pre_norm(
            parts.rms_norm,
            (*attention, scaled_residual("attention_residual", N_("Residual after attention"))),
            (*experts, scaled_residual("ffn_residual", N_("Residual after experts"))),
        )

    return parts.decoder(
        config,
        layer_stacks(config.count(L), block, kind=first(1, parts.FIRST, then=parts.LATER)),
        embeddings=(
            parts.token_embedding(),
            scale_and_shift("input_scale", N_("Scaling of the input")),
        ),
        head_bias=config.flag(k.LM_HEAD_BIAS),
    )


def router_mlp(*, chained: bool) -> tuple[Tensor, ...]:
    """Tensors of a router D → R_r → R_r → R_r → E + 1, whose last output selects no expert.

    Args:
        chained: add the scaled states of the previous layer's router.
    """
    component = "router"
    scale = parts.vector("router.states_scale", R_R, component, label=N_("states"))
    states_scale = (scale,) if chained else ()
    return (
        *parts.linear("router.down_proj", D, R_R, component, bias=True, label=N_("down")),
        *states_scale,
        parts.vector("router.norm.weight", R_R, component, label=N_("norm")),
        *parts.linear("router.fc1", R_R, R_R, component, bias=True, label=N_("first")),
        *parts.linear("router.fc2", R_R, R_R, component, bias=True, label=N_("second")),
        *parts.linear("router.out_proj", R_R, E + ONE, component, label=N_("out")),
    )


def scaled_residual(id: str, label: str) -> Stage:
    """A scale and a shift for the residual stream, and others for the output added to it."""
    return Stage(
        id,
        label,
        Group.RESIDUAL,
        (T, D),
        (
            *scale_and_shift_tensors(f"{id}.residual", N_("residual")),
            *scale_and_shift_tensors(f"{id}.added", N_("output")),
        ),
    )


def scale_and_shift(id: str, label: str) -> Stage:
    """Stage with a scale and a shift of D numbers each."""
    return Stage(id, label, Group.RESIDUAL, (T, D), scale_and_shift_tensors(id))


def scale_and_shift_tensors(name: str, of: str = "") -> tuple[Tensor, ...]:
    """A scale and a shift of D numbers each.

    Args:
        name: start of the tensors' names.
        of: input of both, as part of their labels; omitted if empty.
    """
    scale = N_("{of} scale", of=of) if of else N_("scale")
    shift = N_("{of} shift", of=of) if of else N_("shift")
    return (
        parts.vector(f"{name}.scale", D, "residual_scale", label=scale),
        parts.vector(f"{name}.shift", D, "residual_scale", Role.BIAS, shift),
    )


ZAYA = Family(
    model_type="zaya",
    title="ZAYA1",
    source="https://huggingface.co/docs/transformers/model_doc/zaya",
    architectures=("ZayaForCausalLM",),
    defaults={
        **sizes(D=2048, L=40, H=8, H_kv=2, d_h=128, V=262_272),
        CHANNEL_CONV_WIDTH: 2,
        HEAD_CONV_WIDTH: 2,
        **sizes(E=16, k=1, F_e=2048),
        ROUTER_DIM: 256,
        **unset(k.SLIDING_WINDOW, k.LAYER_TYPES),
        **off(k.ATTENTION_BIAS, k.LM_HEAD_BIAS),
        k.TIE_EMBEDDINGS: True,
    },
    compose=zaya,
    rules=(k.ATTENTION_HEADS_RULE, k.layer_types_of("hybrid", "hybrid_sliding")),
    windows=parts.windows_by_layer_types(otherwise=parts.no_layer),
    positions=parts.Positions.ROTARY,
)
