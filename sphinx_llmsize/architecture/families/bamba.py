"""Attention and Mamba-2 in one model: in separate layers (Bamba), in parallel (Falcon-H1)."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.mamba import mamba2_mixer
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.architecture.layers import among
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Parallel
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.translation import N_

MIXER_NORM = k.flag(
    "mixer_norm mamba_rms_norm", N_("a gated norm before the mixer's output projection")
)
MIXER_INPUT_BIAS = k.flag(
    "mixer_input_bias mamba_proj_bias", N_("a bias on the mixer's input projection")
)
MIXER_OUTPUT_BIAS = k.flag(
    "mixer_output_bias projectors_bias", N_("a bias on the mixer's output projection")
)


def bamba(config: Config) -> Items:
    """Mamba-2 in most layers and attention in a few, each followed by a gated MLP."""

    def block(mixer: LayerKind) -> Block:
        feed_forward = parts.gated_mlp_of(config)
        if mixer == parts.MIXER_ATTENTION:
            return parts.pre_norm(parts.rms_norm, parts.gqa(config), feed_forward)
        return parts.mixer_pre_norm(parts.rms_norm, mamba2_mixer(config), feed_forward)

    kinds = among(
        config.counts(k.FULL_ATTENTION_LAYERS), parts.MIXER_ATTENTION, others=parts.MAMBA2
    )
    return parts.layered_decoder(config, block, mixer=kinds)


def falcon_h1(config: Config) -> Items:
    """Attention and Mamba-2 in parallel in every layer, followed by a gated MLP."""
    mamba = mamba2_mixer(
        config,
        bias_key=MIXER_INPUT_BIAS,
        output_bias=config.flag(MIXER_OUTPUT_BIAS),
        norm=config.flag(MIXER_NORM),
    )
    mixers = Parallel((parts.gqa(config), mamba))
    block = parts.mixer_pre_norm(parts.rms_norm, (mixers,), parts.gated_mlp_of(config))
    return parts.decoder(config, block)


BAMBA = Family(
    model_type="bamba",
    title="Bamba",
    source="https://huggingface.co/docs/transformers/model_doc/bamba",
    architectures=("BambaForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=8, d_h=None, V=128_000),
        **sizes(H_m=128, d_m=None, G_m=1, S=256, W=4, X=2, D_inner=None, F=14_336),
        k.FULL_ATTENTION_LAYERS: None,
        k.MIXER_CONV_BIAS: True,
        **off(k.MIXER_BIAS, k.ATTENTION_BIAS, k.MLP_BIAS, k.TIE_EMBEDDINGS),
    },
    names={"mamba_proj_bias": k.MIXER_BIAS},
    rules=(k.ATTENTION_HEADS_RULE, k.INNER_WIDTH_RULE, k.STATE_SPACE_HEADS_RULE),
    compose=bamba,
    positions=parts.Positions.ROTARY,
)
FALCON_H1 = variant(
    BAMBA,
    "falcon_h1",
    "Falcon-H1",
    "FalconH1ForCausalLM",
    "https://arxiv.org/abs/2507.22448",
    defaults={k.MAMBA_WIDTH: 1024, **off(MIXER_NORM, MIXER_INPUT_BIAS, MIXER_OUTPUT_BIAS)},
    removed=(k.FULL_ATTENTION_LAYERS, k.MIXER_BIAS),
    names={"mamba_d_ssm": k.MAMBA_WIDTH},
    compose=falcon_h1,
)
