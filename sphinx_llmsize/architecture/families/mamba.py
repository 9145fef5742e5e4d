"""Models of Mamba layers only: Mamba, Mamba-2, Falcon Mamba."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_INNER


def mamba(config: Config) -> tuple[Item, ...]:
    """A norm and a Mamba mixer; no feed-forward."""
    mixer = parts.mamba(
        bias=config.flag(k.MIXER_BIAS),
        conv_bias=config.flag(k.MIXER_CONV_BIAS),
        width=D_INNER if config.has(D_INNER) else parts.INNER,
    )
    return parts.decoder(config, parts.mixer_pre_norm(parts.rms_norm, mixer), norm=parts.rms_norm)


def mamba2(config: Config) -> tuple[Item, ...]:
    """A norm and a Mamba-2 mixer; no feed-forward."""
    mixer = parts.mamba2(bias=config.flag(k.MIXER_BIAS), conv_bias=config.flag(k.MIXER_CONV_BIAS))
    return parts.decoder(config, parts.mixer_pre_norm(parts.rms_norm, mixer), norm=parts.rms_norm)


MAMBA = Family(
    model_type="mamba",
    title="Mamba",
    source="https://arxiv.org/abs/2312.00752",
    architectures=("MambaForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 768,
        k.NUM_LAYERS: 32,
        k.STATE_DIM: 16,
        k.EXPAND: 2,
        k.MAMBA_WIDTH: None,
        k.CONV_WIDTH: 4,
        k.TIME_STEP_RANK: None,
        k.VOCAB_SIZE: 50_280,
        k.MIXER_BIAS: False,
        k.MIXER_CONV_BIAS: True,
        k.TIE_EMBEDDINGS: True,
    },
    names={"intermediate_size": k.MAMBA_WIDTH},
    rules=(k.TIME_STEPS,),
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
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 64,
        k.NUM_MAMBA_HEADS: 128,
        k.MAMBA_HEAD_DIM: 64,
        k.NUM_MAMBA_GROUPS: 8,
        k.STATE_DIM: 128,
        k.EXPAND: 2,
        k.CONV_WIDTH: 4,
        k.VOCAB_SIZE: 32_768,
        k.MIXER_BIAS: False,
        k.MIXER_CONV_BIAS: True,
        k.TIE_EMBEDDINGS: False,
    },
    names={"num_heads": k.NUM_MAMBA_HEADS, "head_dim": k.MAMBA_HEAD_DIM},
    rules=(k.STATE_SPACE_HEADS,),
    compose=mamba2,
)

FAMILIES = (MAMBA, MAMBA2, FALCON_MAMBA)
