"""Models of Mamba layers only: Mamba, Mamba-2, Falcon Mamba."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts import mamba as parts
from sphinx_llmsize.architecture.parts.blocks import mixer_pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
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
    TIME_STEP_RANK,
    TIME_STEPS,
)
from sphinx_llmsize.config.vocabulary import HIDDEN_DIM, NUM_LAYERS, TIE_EMBEDDINGS, VOCAB_SIZE


def mamba(config: Config) -> tuple[Item, ...]:
    """A norm and a Mamba mixer; no feed-forward."""
    mixer = parts.mamba(
        bias=config.flag(MIXER_BIAS),
        conv_bias=config.flag(MIXER_CONV_BIAS),
        width=D_INNER if config.has(D_INNER) else parts.INNER,
    )
    return decoder(config, mixer_pre_norm(rms_norm, mixer), norm=rms_norm)


def mamba2(config: Config) -> tuple[Item, ...]:
    """A norm and a Mamba-2 mixer; no feed-forward."""
    mixer = parts.mamba2(bias=config.flag(MIXER_BIAS), conv_bias=config.flag(MIXER_CONV_BIAS))
    return decoder(config, mixer_pre_norm(rms_norm, mixer), norm=rms_norm)


MAMBA = Family(
    model_type="mamba",
    title="Mamba",
    source="https://arxiv.org/abs/2312.00752",
    architectures=("MambaForCausalLM",),
    defaults={
        HIDDEN_DIM: 768,
        NUM_LAYERS: 32,
        STATE_DIM: 16,
        EXPAND: 2,
        MAMBA_WIDTH: None,
        CONV_WIDTH: 4,
        TIME_STEP_RANK: None,
        VOCAB_SIZE: 50_280,
        MIXER_BIAS: False,
        MIXER_CONV_BIAS: True,
        TIE_EMBEDDINGS: True,
    },
    names={"intermediate_size": MAMBA_WIDTH},
    rules=(TIME_STEPS,),
    compose=mamba,
)
FALCON_MAMBA = replace(
    MAMBA,
    model_type="falcon_mamba",
    title="Falcon Mamba",
    source="https://arxiv.org/abs/2410.05355",
    architectures=("FalconMambaForCausalLM",),
)
MAMBA2 = Family(
    model_type="mamba2",
    title="Mamba-2",
    source="https://arxiv.org/abs/2405.21060",
    architectures=("Mamba2ForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 64,
        NUM_MAMBA_HEADS: 128,
        MAMBA_HEAD_DIM: 64,
        NUM_MAMBA_GROUPS: 8,
        STATE_DIM: 128,
        EXPAND: 2,
        CONV_WIDTH: 4,
        VOCAB_SIZE: 32_768,
        MIXER_BIAS: False,
        MIXER_CONV_BIAS: True,
        TIE_EMBEDDINGS: False,
    },
    names={"num_heads": NUM_MAMBA_HEADS, "head_dim": MAMBA_HEAD_DIM},
    rules=(STATE_SPACE_HEADS,),
    compose=mamba2,
)

FAMILIES = (MAMBA, MAMBA2, FALCON_MAMBA)
