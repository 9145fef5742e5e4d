"""Attention and Mamba-2 in one model: in turns (Bamba), or side by side (Falcon-H1)."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family, without
from sphinx_llmsize.architecture.layers import among, layered
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import mixer_pre_norm, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.mamba import INNER, mamba2
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Parallel
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import flag
from sphinx_llmsize.config.layer_types import FULL_ATTENTION_LAYERS
from sphinx_llmsize.config.mixers import (
    CONV_WIDTH,
    D_INNER,
    EXPAND,
    MAMBA_HEAD_DIM,
    MAMBA_WIDTH,
    MIXER_BIAS,
    MIXER_CONV_BIAS,
    NUM_MAMBA_GROUPS,
    NUM_MAMBA_HEADS,
    STATE_DIM,
    STATE_SPACE_HEADS,
)
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    MLP_BIAS,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    L,
)

MIXER_NORM = flag("mixer_norm", "a gated norm before the mixer's output", "mamba_rms_norm")
MIXER_OUTPUT_BIAS = flag(
    "mixer_output_bias", "a bias on the mixer's output projection", "projectors_bias"
)


def bamba(config: Config) -> tuple[Item, ...]:
    """Mamba-2 in all layers but some, which have attention; an MLP in each."""

    def block(mixer: str) -> Block:
        feed_forward = gated_mlp(bias=config.flag(MLP_BIAS))
        if mixer == "full attention":
            attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
            return pre_norm(rms_norm, attention, feed_forward)
        states = mamba2(bias=config.flag(MIXER_BIAS), conv_bias=config.flag(MIXER_CONV_BIAS))
        return mixer_pre_norm(rms_norm, states, feed_forward)

    mixer = among(config.counts(FULL_ATTENTION_LAYERS), "full attention", others="Mamba-2")
    return decoder(config, layered(config.count(L), block, mixer=mixer), norm=rms_norm)


def falcon_h1(config: Config) -> tuple[Item, ...]:
    """Attention and Mamba-2 beside each other in every layer, then an MLP."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    states = mamba2(
        bias=config.flag(MIXER_BIAS),
        conv_bias=config.flag(MIXER_CONV_BIAS),
        output_bias=config.flag(MIXER_OUTPUT_BIAS),
        width=D_INNER if config.has(D_INNER) else INNER,
        norm=config.flag(MIXER_NORM),
    )
    both = Parallel((attention, states))
    block = mixer_pre_norm(rms_norm, (both,), gated_mlp(bias=config.flag(MLP_BIAS)))
    return decoder(config, block, norm=rms_norm)


BAMBA = Family(
    model_type="bamba",
    title="Bamba",
    source="https://huggingface.co/docs/transformers/model_doc/bamba",
    architectures=("BambaForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        FULL_ATTENTION_LAYERS: None,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 8,
        HEAD_DIM: None,
        NUM_MAMBA_HEADS: 128,
        MAMBA_HEAD_DIM: None,
        NUM_MAMBA_GROUPS: 1,
        STATE_DIM: 256,
        CONV_WIDTH: 4,
        EXPAND: 2,
        FFN_DIM: 14_336,
        VOCAB_SIZE: 128_000,
        MIXER_CONV_BIAS: True,
        MIXER_BIAS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    names={"mamba_proj_bias": MIXER_BIAS},
    rules=(ATTENTION_HEADS, STATE_SPACE_HEADS),
    compose=bamba,
)
FALCON_H1 = replace(
    BAMBA,
    model_type="falcon_h1",
    title="Falcon-H1",
    source="https://arxiv.org/abs/2507.22448",
    architectures=("FalconH1ForCausalLM",),
    defaults={
        **without(BAMBA.defaults, FULL_ATTENTION_LAYERS),
        MAMBA_WIDTH: 1024,
        MIXER_NORM: False,
        MIXER_OUTPUT_BIAS: False,
    },
    compose=falcon_h1,
)

FAMILIES = (BAMBA, FALCON_H1)
