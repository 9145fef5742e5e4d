"""Jamba: Mamba, with attention in one layer of eight and experts in one of two."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.mamba import mamba_mixer
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.architecture.layers import every, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import E, F
from sphinx_llmsize.translation import N_, _


def jamba(config: Config) -> Items:
    """Mamba, but attention in every n-th layer; a gated MLP, but experts in every m-th layer."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))

    def block(mixer: LayerKind, ffn: LayerKind) -> Block:
        feed_forward = experts if ffn == parts.MOE else parts.gated_mlp()
        if mixer == parts.MIXER_ATTENTION:
            return parts.pre_norm(parts.rms_norm, parts.grouped_query_attention(), feed_forward)
        return parts.mixer_pre_norm(parts.rms_norm, mamba_mixer(config, norms=True), feed_forward)

    mixers = every(
        config.count(k.FULL_ATTENTION_INTERVAL),
        parts.MIXER_ATTENTION,
        others=parts.MAMBA,
        start=config.count(k.FULL_ATTENTION_OFFSET),
    )
    ffns = every(
        config.count(k.EXPERT_LAYER_STEP),
        parts.MOE,
        others=parts.DENSE,
        start=config.count(k.EXPERT_LAYER_OFFSET),
    )
    if config.count(E) <= 1:
        ffns = same(parts.DENSE)
    return parts.layered_decoder(config, block, mixer=mixers, ffn=ffns)


def within_period(offset: k.Key, period: k.Key) -> k.Rule:
    """Rule: the offset, the first layer of a kind counted from 0, is less than the period."""

    def check(settings: k.Settings, parsed: ParsedConfig) -> None:
        first, step = k.int_or_none(settings, offset), k.int_or_none(settings, period)
        if first is not None and step is not None and first >= step:
            message = N_("{key} {first} is not below {other} {step}")
            hint = _("layers are counted from 0: at most {step}", step=step - 1)
            raise parsed.error(message, offset, period, first=first, step=step).with_hint(hint)

    return k.Rule(check=check)


JAMBA = Family(
    model_type="jamba",
    title="Jamba",
    source="https://arxiv.org/abs/2403.19887",
    architectures=("JambaForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=8, d_h=None, V=65_536),
        **sizes(S=16, W=4, X=2, D_inner=None, R_dt=None, F=14_336, E=16, k=2),
        k.FULL_ATTENTION_INTERVAL: 8,
        k.FULL_ATTENTION_OFFSET: 4,
        k.EXPERT_LAYER_STEP: 2,
        k.EXPERT_LAYER_OFFSET: 1,
        k.MIXER_CONV_BIAS: True,
        **off(k.MIXER_BIAS, k.TIE_EMBEDDINGS),
    },
    names={"mamba_proj_bias": k.MIXER_BIAS},
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.TIME_STEPS_RULE,
        k.INNER_WIDTH_RULE,
        within_period(k.FULL_ATTENTION_OFFSET, k.FULL_ATTENTION_INTERVAL),
        within_period(k.EXPERT_LAYER_OFFSET, k.EXPERT_LAYER_STEP),
    ),
    compose=jamba,
    positions=parts.Positions.NONE,
)
