"""JetMoE: experts in place of the MLP and of the query and output projections."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import KEY_WIDTH, attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import ROUTED, gated_experts, mixture_of_experts
from sphinx_llmsize.architecture.parts.linear import linear, vector
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import EXPERTS_PER_TOKEN, NUM_EXPERTS, E
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.rules import Rule, Settings, whole
from sphinx_llmsize.config.vocabulary import (
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    F,
    T,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _


def jetmoe(config: Config) -> tuple[Item, ...]:
    """Mixtures of attention heads and of MLPs, each with one bias for all its experts."""
    *before, down = gated_experts(width=F)
    assert isinstance(down, Stage)
    bias = vector("experts.bias", D, "experts", Role.BIAS, "bias")
    experts = mixture_of_experts((*before, replace(down, tensors=(*down.tensors, bias))))
    return decoder(config, pre_norm(rms_norm, mixture_of_heads(), experts), norm=rms_norm)


def mixture_of_heads() -> Block:
    """A router sends each token to k of E query projections, and back; all share K and V.

    Zhang et al. 2022, https://arxiv.org/abs/2210.05144
    """
    qkv = (
        *linear("q_proj", D, KEY_WIDTH, "attn_q", label="q", copies=ROUTED),
        *linear("kv_proj", D, 2 * KEY_WIDTH, "attn_kv", label="kv"),
    )
    output = (
        *linear("o_proj", KEY_WIDTH, D, "attn_o", copies=ROUTED),
        vector("o_proj.bias", D, "attn_o", Role.BIAS),
    )
    router = linear("head_router", D, E, "router")
    heads = ROUTED.used * KEY_WIDTH
    return (
        Stage("head_router", "Router of heads", Group.ATTENTION, (T, E), router),
        *attention(qkv, output, qkv_width=heads + 2 * KEY_WIDTH, width=heads),
    )


def _heads(settings: Settings) -> Settings:
    """H_kv heads for each of the k experts of a token."""
    kv_heads, used = whole(settings, NUM_KV_HEADS), whole(settings, EXPERTS_PER_TOKEN)
    return {NUM_HEADS: kv_heads * used} if kv_heads and used else {}


def _check_heads(settings: Settings, given: Given) -> None:
    kv_heads, used = whole(settings, NUM_KV_HEADS), whole(settings, EXPERTS_PER_TOKEN)
    heads = whole(settings, NUM_HEADS)
    if heads and kv_heads and used and heads != kv_heads * used:
        raise ConfigError(
            _(
                "{heads} heads, but {kv_heads} key/value heads for each of {used} experts",
                heads=f"{heads:,}",
                kv_heads=f"{kv_heads:,}",
                used=f"{used:,}",
            ),
            Problem.SHAPE,
            hint=_("leave out {key}: it follows from the others", key=given.name(NUM_HEADS)),
            line=given.line(NUM_HEADS),
        )


JETMOE = Family(
    model_type="jetmoe",
    title="JetMoE",
    source="https://arxiv.org/abs/2404.07413",
    architectures=("JetMoeForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 12,
        NUM_HEADS: None,
        NUM_KV_HEADS: 16,
        HEAD_DIM: 128,
        FFN_DIM: 5632,
        NUM_EXPERTS: 8,
        EXPERTS_PER_TOKEN: 2,
        VOCAB_SIZE: 32_000,
        TIE_EMBEDDINGS: True,
    },
    rules=(Rule(_heads, _check_heads),),
    names={"kv_channels": HEAD_DIM},
    compose=jetmoe,
)

FAMILIES = (JETMOE,)
