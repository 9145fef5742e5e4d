"""Step-3.5-Flash: gated attention, with more heads in sliding-window layers, and experts."""

from __future__ import annotations

from typing import Any

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, MTP_NOTE
from sphinx_llmsize.architecture.families.laguna import GATE_RULE, GATE_WIDTH, gate_width
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.architecture.layers import Kinds, among, first, same
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import H_W, H
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_, _

EXPERT_LAYER_NUMBERS = k.make_key(
    "expert_layers_from_0 moe_layers_enum",
    N_("layers with experts, counted from 0, as a list or as text"),
    k.ValueKind.LAYER_TEXT,
    optional=True,
)
HAS_GATE = k.flag("has_head_gate use_head_wise_attn_gate", N_("a gate on the heads' results"))
"""True if attention has an output gate, whose width :data:`GATE_WIDTH` sets."""
SLIDING_KV_HEADS = k.make_key(
    "num_sliding_kv_heads attention_other_setting.num_attention_groups",
    N_("key/value heads of sliding layers, as many as in the others"),
    optional=True,
)
SLIDING_HEAD_SIZE = k.make_key(
    "sliding_head_size attention_other_setting.head_dim",
    N_("head dimension of sliding layers, the same as in the others"),
    optional=True,
)
KIND_BY_NAME = {
    "full_attention": parts.FULL_ATTENTION,
    "sliding_attention": parts.SLIDING_ATTENTION,
}
"""Kinds of attention by their names in ``layer_types``."""


def step3p5(config: Config) -> Items:
    """Gated GQA with QK norms; a gated MLP in the first layers, then experts and a shared one."""
    gate = (parts.output_gate(width=gate_width(config)),) if config.flag(HAS_GATE) else ()
    full = parts.with_gate(parts.gqa_with_qk_norm(config), gate)
    shared = parts.shared_expert(bias=config.flag(k.MLP_BIAS))
    return parts.decoder_with_experts(
        config,
        {parts.FULL_ATTENTION: full, parts.SLIDING_ATTENTION: parts.with_sizes(full, {H: H_W})},
        parts.mixture_of_experts(parts.gated_experts(), shared=shared),
        parts.ffn_kinds(config, otherwise=_numbered_ffn_kinds(config)),
        mixers=parts.mixer_kinds(config, KIND_BY_NAME, otherwise=same(parts.FULL_ATTENTION)),
        dense=parts.gated_mlp_of(config),
    )


def _numbered_ffn_kinds(config: Config) -> Kinds:
    """Experts in the layers that ``moe_layers_enum`` lists; by default in all but the first 3."""
    if config[EXPERT_LAYER_NUMBERS] is None:
        return first(3, parts.DENSE, then=parts.MOE)
    return among(config.counts(EXPERT_LAYER_NUMBERS), parts.MOE, others=parts.DENSE)


def _replace_lists(settings: k.Settings) -> k.Settings:
    """Lists without the entries after the last layer's, for multi-token-prediction layers."""
    layers = k.int_or_none(settings, k.NUM_LAYERS)
    lists = {key: settings[key] for key in (k.LAYER_TYPES, k.FFN_LAYER_TYPES)}
    return {key: value[:layers] for key, value in lists.items() if isinstance(value, tuple)}


def _check_lists(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that lists have an entry for each layer, with or without multi-token prediction."""
    layers = k.int_or_none(settings, k.NUM_LAYERS) or 0
    lengths = {layers, layers + (k.int_or_none(settings, k.MTP_LAYERS) or 0)}
    for key in (k.LAYER_TYPES, k.FFN_LAYER_TYPES):
        value = settings[key]
        if isinstance(value, tuple) and layers and len(value) not in lengths:
            other = parsed.name(k.NUM_LAYERS)
            hint = _("give one for each layer, or change {other}", other=other)
            raise k.wrong_length(parsed, key, len(value), layers).with_hint(hint)


def _check_sliding_sizes(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that sliding layers have the key/value heads and head dimension of the others."""
    for key, other in ((SLIDING_KV_HEADS, k.NUM_KV_HEADS), (SLIDING_HEAD_SIZE, k.HEAD_DIM)):
        if settings[key] not in (None, settings[other]):
            message = N_("{key} must be the same as {other}")
            hint = N_("only the number of query heads may differ in sliding layers")
            raise parsed.error(message, key, other, hint=hint)


def _replace_confirmations(_settings: k.Settings) -> k.Settings:
    """Null for keys that only repeat others, which may then change without them."""
    return dict.fromkeys((SLIDING_KV_HEADS, SLIDING_HEAD_SIZE, k.PER_LAYER_CONFIG))


def _check_per_layer_config(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that ``per_layer_config`` agrees with the other keys.

    It must give each sliding layer its number of heads if that differs from H, and nothing else.
    """
    section = settings[k.PER_LAYER_CONFIG]
    if not isinstance(section, Section):
        return
    layers, heads = k.int_or_none(settings, k.NUM_LAYERS), settings[k.NUM_HEADS]
    sliding_heads = settings[k.SLIDING_HEADS] or heads
    expected: Any = {}
    if sliding_heads != heads:
        expected = {
            str(layer): {"num_attention_heads": sliding_heads}
            for layer, name in enumerate(k.names_of(settings, k.LAYER_TYPES)[:layers])
            if name == "sliding_attention"
        }
    found = {
        entry.key: {size.key: size.value for size in entry.value.entries}
        for entry in section.entries
        if isinstance(entry.value, Section)
    }
    if found != expected:
        message = N_("{key} does not give each sliding layer its {other}")
        hint = N_("leave it out, and give the heads of all sliding layers as {other}")
        raise parsed.error(message, k.PER_LAYER_CONFIG, k.SLIDING_HEADS, hint=hint)


STEP3P5 = Family(
    model_type="step3p5",
    title="Step-3.5-Flash",
    source="https://huggingface.co/stepfun-ai/Step-3.5-Flash",
    architectures=("Step3p5ForCausalLM",),
    defaults={
        **sizes(D=4096, L=45, H=64, H_kv=8, d_h=128, F=11_264, V=128_815),
        **sizes(E=288, k=8, F_e=1280, F_s=1280, w=None),
        GATE_WIDTH: True,
        HAS_GATE: True,
        **off(k.ATTENTION_BIAS, k.MLP_BIAS, k.TIE_EMBEDDINGS),
        **unset(k.SLIDING_HEADS, SLIDING_KV_HEADS, SLIDING_HEAD_SIZE, k.PER_LAYER_CONFIG),
        **unset(k.LAYER_TYPES, k.FFN_LAYER_TYPES, EXPERT_LAYER_NUMBERS, k.MTP_LAYERS),
    },
    names={
        "num_attention_groups": k.NUM_KV_HEADS,
        "moe_top_k": k.EXPERTS_PER_TOKEN,
        "share_expert_dim": k.SHARED_EXPERT_DIM,
        "share_expert_dims": k.SHARED_EXPERT_DIM,
        "num_sliding_attention_heads": k.SLIDING_HEADS,
        "attention_other_setting.num_attention_heads": k.SLIDING_HEADS,
    },
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.same_as(k.NUM_HEADS, k.SLIDING_HEADS),
        k.only_these(k.LAYER_TYPES, KIND_BY_NAME),
        k.Rule(check=_check_lists, replace=_replace_lists),
        k.Rule(check=_check_sliding_sizes),
        k.Rule(check=_check_per_layer_config, replace=_replace_confirmations),
        GATE_RULE,
    ),
    compose=step3p5,
    notes=(CORRECTION_BIAS_NOTE, MTP_NOTE),
    windows=parts.windows_by_layer_types(otherwise=parts.no_layer),
    positions=parts.Positions.ROTARY,
)
