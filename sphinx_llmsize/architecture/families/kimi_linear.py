"""Kimi Linear and Ling 3: delta attention in most layers, latent attention in the others."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, MTP_NOTE, UNTIED_NOTE
from sphinx_llmsize.architecture.families.bailing_moe import check_shared_width
from sphinx_llmsize.architecture.families.deepseek import DEEPSEEK_V3
from sphinx_llmsize.architecture.family import Items, sizes, unset, variant
from sphinx_llmsize.architecture.layers import Kinds, among, every
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import H
from sphinx_llmsize.config.tasks import first_class
from sphinx_llmsize.translation import N_

LING_CLASS = "BailingMoeV3ForCausalLM"
"""Class of Ling 3 in its own code on the Hub."""
FULL_LAYERS = k.make_key(
    "full_layers linear_attn_config.full_attn_layers",
    N_("layers with latent attention, counted from 1"),
    k.ValueKind.LAYERS,
    optional=True,
)
DELTA_LAYERS = k.make_key(
    "delta_layers linear_attn_config.kda_layers",
    N_("layers with delta attention, counted from 1"),
    k.ValueKind.LAYERS,
    optional=True,
)
LAYER_GROUP = k.make_key(
    "layer_group_size", N_("layers in a group, of which the last has latent attention")
)
SHORT_CONV_WIDTH = k.make_key(
    "short_conv_width short_conv_kernel_size", N_("convolution width if conv_width is not set")
)
FULL_RANK_GATES = k.flag(
    "full_rank_gates no_kda_lora", N_("gates of delta attention as one matrix")
)
GATE_KIND = k.make_key(
    "head_gate_kind gated_attention_proj_granularity_type",
    N_("granularity of latent attention's gate: head_wise, one number per head"),
    k.ValueKind.NAME,
)
NORM_GROUPS = k.make_key("num_norm_groups group_norm_size", N_("groups of a norm, 1 in Ling 3"))
# in this module, full attention is latent attention, and linear attention is delta attention
FULL, LINEAR = parts.FULL_ATTENTION, parts.LINEAR_ATTENTION


def kimi_linear(config: Config) -> Items:
    """Delta attention; latent attention in the layers of ``full_layers`` not in ``delta_layers``.

    Unless both lists are set, layers 4, 8, 12 … (counted from 0) have latent attention.
    """
    delta = parts.kimi_delta_attention(low_rank_gates=True)
    kinds = every(4, FULL, others=LINEAR, start=4)
    if config[FULL_LAYERS] is not None and config[DELTA_LAYERS] is not None:
        numbers = {*config.counts(FULL_LAYERS)} - {*config.counts(DELTA_LAYERS)}
        kinds = among([number - 1 for number in sorted(numbers)], FULL, others=LINEAR)
    return hybrid_decoder(config, parts.mla(config), delta, kinds)


def bailing_hybrid(config: Config) -> Items:
    """Delta attention, and gated latent attention in the last layer of each group."""
    attention = parts.mla(config, gate=(parts.output_gate(width=H, gated=parts.MLA_VALUE_WIDTH),))
    delta = parts.kimi_delta_attention(low_rank_gates=not config.flag(FULL_RANK_GATES))
    group = config.count(LAYER_GROUP)
    kinds = every(group, FULL, others=LINEAR, start=group - 1)
    return hybrid_decoder(config, attention, delta, kinds)


def hybrid_decoder(config: Config, attention: Block, delta: Block, kinds: Kinds) -> Items:
    """Decoder with attention or delta attention in each layer, and a gated MLP or experts.

    Args:
        config: the configuration.
        attention: block of the layers of kind FULL.
        delta: block of the layers of kind LINEAR.
        kinds: kind of each layer if ``layer_types`` is null.
    """
    return parts.decoder_with_experts(
        config,
        {FULL: attention, LINEAR: delta},
        parts.experts_and_shared(config),
        parts.ffn_kinds(config, otherwise=parts.first_dense(config)),
        mixers=parts.mixer_kinds(config, parts.mixer_names(LINEAR), otherwise=kinds),
        tied=False,
    )


def _check_layer_numbers(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that layer numbers are between 1 and L."""
    layers = k.int_or_none(settings, k.NUM_LAYERS) or 0
    for key in (FULL_LAYERS, DELTA_LAYERS):
        for number in k.ints_of(settings, key):
            if not 1 <= number <= layers:
                message = N_("{key}: there is no layer {wrong}")
                hint = N_("layers are numbered from 1 to {layers}")
                raise parsed.error(message, key, wrong=number, layers=layers, hint=hint)


def _check_ling(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Refuse Ling 2.6, and settings that only Ling 3's own code or only transformers supports.

    Ling 2.6 has the same ``model_type``, but lightning attention with a norm of several groups.
    """
    has_own_code = first_class(settings) == LING_CLASS
    layers, group = k.int_or_none(settings, k.NUM_LAYERS), k.int_or_none(settings, LAYER_GROUP)
    if settings[NORM_GROUPS] != 1:
        hint = N_("Ling 2.6 is not supported")
        raise parsed.error(N_("{key} must be 1"), NORM_GROUPS, hint=hint)
    if settings[k.Q_LORA_RANK] and not has_own_code:
        hint = N_("write it in architectures")
        raise parsed.error(N_("only {name} has {key}"), k.Q_LORA_RANK, name=LING_CLASS, hint=hint)
    if has_own_code and layers and group and layers % group:
        message = N_("{key} {group} does not divide {layers} layers")
        hint = N_("change one of them")
        raise parsed.error(message, LAYER_GROUP, group=group, layers=layers, hint=hint)


LAYER_LIST_RULES = (
    k.only_these(k.LAYER_TYPES, ("linear_attention", "full_attention")),
    k.one_for_each_layer(k.LAYER_TYPES, k.FFN_LAYER_TYPES),
)
"""Rules for the lists of the layers' kinds."""
LINEAR_ATTENTION_NAMES = {
    "linear_attn_config.num_heads": k.LINEAR_HEADS,
    "linear_attn_config.head_dim": k.LINEAR_HEAD_DIM,
    "linear_attn_config.short_conv_kernel_size": k.CONV_WIDTH,
}
"""Keys by their names in the section ``linear_attn_config``."""
KIMI_LINEAR = variant(
    DEEPSEEK_V3,
    "kimi_linear",
    "Kimi Linear",
    "KimiLinearForCausalLM",
    "https://arxiv.org/abs/2510.26692",
    defaults={
        **sizes(D=2304, L=27, H=32, V=163_840, R_q=None, H_l=32, d_l=128, W=4, F=9216, F_e=1024),
        k.FIRST_DENSE_LAYERS: 1,
        **unset(k.FFN_LAYER_TYPES, k.LAYER_TYPES, FULL_LAYERS, DELTA_LAYERS),
    },
    names=LINEAR_ATTENTION_NAMES,
    rules=(*LAYER_LIST_RULES, k.Rule(check=_check_layer_numbers)),
    compose=kimi_linear,
    notes=(MTP_NOTE, CORRECTION_BIAS_NOTE, UNTIED_NOTE),
    positions=parts.Positions.NONE,
)
BAILING_HYBRID = variant(
    DEEPSEEK_V3,
    "bailing_hybrid",
    "Ling 3",
    f"BailingHybridForCausalLM {LING_CLASS}",
    defaults={
        **sizes(D=2560, L=42, H=32, d_h=128, V=157_184, H_l=None, d_l=None, W=None),
        SHORT_CONV_WIDTH: 4,
        LAYER_GROUP: 6,
        **sizes(F=6144, E=512, F_e=768),
        k.FIRST_DENSE_LAYERS: 2,
        **unset(k.FFN_LAYER_TYPES, k.LAYER_TYPES, k.Q_LORA_RANK, k.SHARED_EXPERT_DIM),
        FULL_RANK_GATES: True,
        GATE_KIND: "head_wise",
        NORM_GROUPS: 1,
    },
    rules=(
        *LAYER_LIST_RULES,
        k.same_as(k.NUM_HEADS, k.LINEAR_HEADS),
        k.same_as(k.HEAD_DIM, k.LINEAR_HEAD_DIM),
        k.same_as(SHORT_CONV_WIDTH, k.CONV_WIDTH),
        k.one_of(GATE_KIND, "head_wise"),
        k.Rule(check=check_shared_width),
        k.Rule(check=_check_ling),
    ),
    compose=bailing_hybrid,
    notes=(MTP_NOTE, CORRECTION_BIAS_NOTE, UNTIED_NOTE),
)
