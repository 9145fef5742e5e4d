"""Lara Mini: gated delta nets and two kinds of attention, with experts in every layer."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.architecture.layers import Kinds, PerLayer, cycle, from_list
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.translation import N_

KIND_BY_NAME = {
    "linear_attention": parts.LINEAR_ATTENTION,
    "sliding_attention": parts.ATTENTION,
    "full_attention": parts.ATTENTION,
}
"""Mixers by their names in ``layer_types``; attention has the same tensors with a window."""
PATTERN = (
    "linear_attention",
    "sliding_attention",
    "linear_attention",
    "full_attention",
    "sliding_attention",
)
"""Mixers of five layers, which are repeated if ``layer_types`` is null."""


def lara_mini(config: Config) -> Items:
    """Gated delta nets or attention with QK norms, then experts with a shared expert."""
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=parts.shared_expert())

    def block(mixer: LayerKind) -> Block:
        if mixer == parts.ATTENTION:
            return parts.pre_norm(parts.rms_norm, parts.gqa_with_qk_norm(config), experts)
        return parts.mixer_pre_norm(parts.rms_norm, parts.gated_delta_net(), experts)

    return parts.layered_decoder(config, block, mixer=mixers(config))


def mixer_names(config: Config) -> PerLayer[str]:
    """Entries of ``layer_types``, or the pattern."""
    names = config.names(k.LAYER_TYPES)
    return from_list(names) if names else cycle(PATTERN)


def mixers(config: Config) -> Kinds:
    """Gated delta net or attention in each layer."""
    return mixer_names(config).map(lambda name: KIND_BY_NAME[name])


def has_window(config: Config) -> PerLayer[bool]:
    """The layers with a sliding window, which are those with rotary positions."""
    return mixer_names(config).map(lambda name: name == "sliding_attention")


def _check_heads(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that each key head of the delta nets serves the same number of value heads."""
    keys = (k.LINEAR_VALUE_HEADS, k.LINEAR_KEY_HEADS)
    value_heads, key_heads = (k.int_or_none(settings, key) for key in keys)
    if value_heads and key_heads and value_heads % key_heads:
        message = N_("{key} is {values}, which is not a multiple of {other}, {keys}")
        hint = N_("each key head serves the same number of value heads")
        raise parsed.error(message, *keys, values=value_heads, keys=key_heads, hint=hint)


LARA_MINI = Family(
    model_type="lara_mini",
    title="Lara Mini",
    source="https://huggingface.co/translated/Lara-4-Mini-Base",
    architectures=("LaraMiniForCausalLM",),
    defaults={
        **sizes(D=1024, L=34, H=16, H_kv=4, d_h=128, V=151_936, w=512),
        **sizes(H_lk=8, H_lv=16, d_lk=128, d_lv=128, W=4),
        **sizes(E=128, k=4, F_e=512, F_s=512),
        k.LAYER_TYPES: None,
        **off(k.ATTENTION_BIAS),
        k.TIE_EMBEDDINGS: True,
    },
    rules=(k.ATTENTION_HEADS_RULE, k.layer_types_of(*KIND_BY_NAME), k.Rule(check=_check_heads)),
    compose=lara_mini,
    windows=parts.windows_in(has_window),
    positions=parts.rotary_in(has_window),
)
