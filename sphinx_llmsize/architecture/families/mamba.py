"""Mamba, Mamba-2 and Falcon Mamba: state-space layers only."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_INNER


def mamba(config: Config) -> Items:
    """Pre-norm layers of a Mamba mixer alone, without a feed-forward network."""
    return parts.decoder(config, parts.mixer_pre_norm(parts.rms_norm, mamba_mixer(config)))


def mamba2(config: Config) -> Items:
    """Pre-norm layers of a Mamba-2 mixer alone, without a feed-forward network."""
    mixer = mamba2_mixer(config)
    return parts.decoder(config, parts.mixer_pre_norm(parts.rms_norm, mixer))


def mamba_mixer(config: Config, *, norms: bool = False) -> Block:
    """Mamba mixer with biases as configured and optional norms on Δ, B and C."""
    bias, conv_bias = config.flag(k.MIXER_BIAS), config.flag(k.MIXER_CONV_BIAS)
    return parts.mamba(bias=bias, conv_bias=conv_bias, norms=norms)


def mamba2_mixer(
    config: Config,
    *,
    bias_key: k.Key = k.MIXER_BIAS,
    output_bias: bool | None = None,
    width: Size = D_INNER,
    norm: bool = True,
) -> Block:
    """Mamba-2 mixer, ``width`` wide, with biases as configured and an optional gated norm.

    ``bias_key`` is for the biases on projections; ``output_bias`` replaces that on the one to D.
    """
    bias, conv_bias = config.flag(bias_key), config.flag(k.MIXER_CONV_BIAS)
    return parts.mamba2(
        bias=bias, conv_bias=conv_bias, output_bias=output_bias, width=width, norm=norm
    )


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
    rules=(k.TIME_STEPS_RULE, k.INNER_WIDTH_RULE),
    compose=mamba,
)
FALCON_MAMBA = variant(
    MAMBA,
    "falcon_mamba",
    "Falcon Mamba",
    "FalconMambaForCausalLM",
    "https://arxiv.org/abs/2410.05355",
)
MAMBA2 = Family(
    model_type="mamba2",
    title="Mamba-2",
    source="https://arxiv.org/abs/2405.21060",
    architectures=("Mamba2ForCausalLM",),
    defaults={
        **sizes(D=4096, L=64, V=32_768, H_m=128, d_m=64, G_m=8, S=128, X=2, D_inner=None, W=4),
        **off(k.MIXER_BIAS, k.TIE_EMBEDDINGS),
        k.MIXER_CONV_BIAS: True,
    },
    names={"num_heads": k.NUM_MAMBA_HEADS, "head_dim": k.MAMBA_HEAD_DIM},
    rules=(k.INNER_WIDTH_RULE, k.STATE_SPACE_HEADS_RULE),
    compose=mamba2,
)
