"""Jamba: Mamba layers, attention in one of eight, experts in one of two."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import every, layered, same
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import mixer_pre_norm, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import gated_experts, mixture_of_experts
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.mamba import mamba
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_LAYER_OFFSET,
    EXPERT_LAYER_STEP,
    EXPERTS_PER_TOKEN,
    NUM_EXPERTS,
    E,
)
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.layer_types import FULL_ATTENTION_INTERVAL, FULL_ATTENTION_OFFSET
from sphinx_llmsize.config.mixers import (
    CONV_WIDTH,
    EXPAND,
    MIXER_BIAS,
    MIXER_CONV_BIAS,
    STATE_DIM,
    TIME_STEP_RANK,
    TIME_STEPS,
)
from sphinx_llmsize.config.rules import ATTENTION_HEADS, Rule, Settings, whole
from sphinx_llmsize.config.vocabulary import (
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
    L,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _


def jamba(config: Config) -> tuple[Item, ...]:
    """Attention or Mamba, an MLP or experts, each in turns of its own."""

    def block(mixer: str, ffn: str) -> Block:
        feed_forward = mixture_of_experts(gated_experts(width=F)) if ffn == "MoE" else gated_mlp()
        if mixer == "full attention":
            return pre_norm(rms_norm, grouped_query_attention(), feed_forward)
        states = mamba(
            bias=config.flag(MIXER_BIAS), conv_bias=config.flag(MIXER_CONV_BIAS), norms=True
        )
        return mixer_pre_norm(rms_norm, states, feed_forward)

    mixer = every(
        config.count(FULL_ATTENTION_INTERVAL),
        "full attention",
        others="Mamba",
        start=config.count(FULL_ATTENTION_OFFSET),
    )
    ffn = every(
        config.count(EXPERT_LAYER_STEP),
        "MoE",
        others="dense",
        start=config.count(EXPERT_LAYER_OFFSET),
    )
    ffn = ffn if config.count(E) > 1 else same("dense")
    return decoder(config, layered(config.count(L), block, mixer=mixer, ffn=ffn), norm=rms_norm)


def within_period(offset: Key, period: Key) -> Rule:
    """The first layer of a kind must be among the first that take turns."""

    def check(settings: Settings, given: Given) -> None:
        first, step = whole(settings, offset), whole(settings, period)
        if first is not None and step is not None and first >= step:
            raise ConfigError(
                _(
                    "{key} {first} is not below {other} {step}",
                    key=given.name(offset),
                    first=f"{first:,}",
                    other=given.name(period),
                    step=f"{step:,}",
                ),
                Problem.SHAPE,
                hint=_("layers are counted from 0: at most {step}", step=f"{step - 1:,}"),
                line=given.line(offset, period),
            )

    return Rule(check=check)


JAMBA = Family(
    model_type="jamba",
    title="Jamba",
    source="https://arxiv.org/abs/2403.19887",
    architectures=("JambaForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        FULL_ATTENTION_INTERVAL: 8,
        FULL_ATTENTION_OFFSET: 4,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 8,
        HEAD_DIM: None,
        STATE_DIM: 16,
        CONV_WIDTH: 4,
        EXPAND: 2,
        TIME_STEP_RANK: None,
        FFN_DIM: 14_336,
        NUM_EXPERTS: 16,
        EXPERTS_PER_TOKEN: 2,
        EXPERT_LAYER_STEP: 2,
        EXPERT_LAYER_OFFSET: 1,
        VOCAB_SIZE: 65_536,
        MIXER_CONV_BIAS: True,
        MIXER_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    names={"mamba_proj_bias": MIXER_BIAS},
    rules=(
        ATTENTION_HEADS,
        TIME_STEPS,
        within_period(FULL_ATTENTION_OFFSET, FULL_ATTENTION_INTERVAL),
        within_period(EXPERT_LAYER_OFFSET, EXPERT_LAYER_STEP),
    ),
    compose=jamba,
)

FAMILIES = (JAMBA,)
