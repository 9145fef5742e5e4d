"""Models of Mamba layers only: Mamba, Mamba-2, Falcon Mamba."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import off, sizes
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
        **sizes(D=768, L=32, V=50_280, S=16, X=2, D_inner=None, W=4, R_dt=None),
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
        **sizes(D=4096, L=64, V=32_768, H_m=128, d_m=64, G_m=8, S=128, X=2, W=4),
        **off(k.MIXER_BIAS, k.TIE_EMBEDDINGS),
        k.MIXER_CONV_BIAS: True,
    },
    names={"num_heads": k.NUM_MAMBA_HEADS, "head_dim": k.MAMBA_HEAD_DIM},
    rules=(k.STATE_SPACE_HEADS,),
    compose=mamba2,
)

FAMILIES = (MAMBA, MAMBA2, FALCON_MAMBA)
