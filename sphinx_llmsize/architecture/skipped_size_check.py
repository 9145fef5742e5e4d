"""Check that keys of other families don't contradict the architecture of a ``model_type``.

Without this check, a variant would be counted as the family's usual architecture, without a
warning.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from sphinx_llmsize.architecture.components import have_gate
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.keys_of_other_families import (
    is_known_elsewhere,
    is_usual_value,
    names_gated_activation,
)
from sphinx_llmsize.config.parsed_config import family_in_words
from sphinx_llmsize.config.symbols import E, L, V
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Entry
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx_llmsize.architecture.architecture import Architecture
    from sphinx_llmsize.architecture.tensors import Tensor
    from sphinx_llmsize.config.config import Config
    from sphinx_llmsize.config.parsed_config import ParsedConfig

KEYS_WITHOUT_EFFECT: dict[str, tuple[str, ...]] = {
    "bailing_hybrid": ("moe_router_enable_expert_bias", "use_qk_norm"),
    "bert-generation": ("type_vocab_size",),
    "deberta": ("share_att_key",),
    "deepseek_v4": (
        "attention_bias",
        "mlp_layer_types",
        "n_shared_experts",
        "num_key_value_heads",
        "qk_rope_head_dim",
    ),
    **dict.fromkeys(("deepseek_v32", "dots3_note_text", "glm_moe_dsa"), ("mlp_bias",)),
    "llama4_text": k.QK_NORM.names,
    "aria_text": ("moe_intermediate_size",),
    "funnel": ("type_vocab_size",),
    "gte": ("layer_norm_type",),
    "hunyuan_v1_moe": ("moe_intermediate_size",),
    "mamba": ("d_inner",),
    "mamba2": ("d_inner", "intermediate_size", "time_step_rank"),
    "mimo_v2_flash": ("moe_layer_freq", "swa_num_key_value_heads"),
    "nemotron_h": ("expand", "n_shared_experts", "time_step_rank"),
    "reformer": ("num_buckets",),
    "sarvam_mla": (
        "moe_router_enable_expert_bias",
        "moe_shared_expert_intermediate_size",
        "use_qk_norm",
    ),
    "sarvam_moe": ("moe_router_enable_expert_bias", "moe_shared_expert_intermediate_size"),
    "step3p5": ("use_moe",),
    "switch_transformers": ("dense_act_fn", "feed_forward_proj", "is_gated_act"),
    "zamba2": ("kv_channels", "mamba_headdim", "use_conv_bias"),
}
"""Keys in the files of a ``model_type`` that its code in transformers doesn't read."""
PROJECTIONS = ("attn_q", "attn_o", "mlp_")
"""Beginnings of the ids of components in attention and MLP that can have biases."""
COMPONENTS_WITH_BIAS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((*k.ATTENTION_BIAS.names, *k.QKV_BIAS.names), ("attn_q",)),
    **dict.fromkeys(("attention_out_bias", "attention_output_bias"), ("attn_o",)),
    **dict.fromkeys(k.MLP_BIAS.names, ("mlp_",)),
    **dict.fromkeys(k.LM_HEAD_BIAS.names, ("lm_head",)),
    **dict.fromkeys(k.BIAS.names, PROJECTIONS),
}
"""Beginnings of the ids of the components that have biases if a flag is true, by the flag."""
RMS_NORM = ("rms_norm", "rmsnorm", "use_RMSNorm")
"""Flags of norms without biases."""


def check_skipped_sizes(
    parsed: ParsedConfig, model_type: str, config: Config, architecture: Architecture
) -> None:
    """Check that keys of other families, and unknown sizes, agree with the architecture.

    Raises:
        ConfigError: one of them contradicts it.
    """
    for entry in parsed.skipped_sizes:
        has_no_effect = entry.key in KEYS_WITHOUT_EFFECT.get(model_type, ())
        if has_no_effect or _agrees(entry, config, architecture):
            continue
        if parsed.is_config_json:
            raise _variant_error(entry, model_type, parsed)
        raise parsed.key_of_other_family(entry)


def _variant_error(entry: Entry, model_type: str, parsed: ParsedConfig) -> ConfigError:
    """Error for a key in a ``config.json`` that suggests a variant of the family."""
    named = {"key": entry.key[:100], "model": family_in_words(model_type)}
    hint = _("the model may be a variant; if it is built like {model}, remove {key}", **named)
    if not is_known_elsewhere(entry.key):
        return parsed.unknown_key(entry).with_hint(hint)
    message = _("{key} is not a key of {model}: other models have other sizes with it", **named)
    if names_gated_activation(entry):
        named["value"] = repr(str(entry.value)[:60])
        message = _("{key} {value} has a gate, but the FFN of {model} has none", **named)
    return ConfigError(message, Problem.KEY, hint, entry.line)


def _agrees(entry: Entry, config: Config, architecture: Architecture) -> bool:
    """True if an entry states a size or a property that the architecture has."""
    tensors = [tensor for stage in architecture.stages() for tensor in stage.tensors]
    if not entry.value and is_usual_value(entry):
        return not _has_biases(entry.key, tensors)
    if "experts" in entry.key and E not in architecture.symbols:
        return False
    # an unknown key agrees if its value is one of the model's dimensions; so does HunyuanVL's
    # ``org_vocab_size``, which repeats ``vocab_size`` in files of Hunyuan's other models
    if entry.key == "org_vocab_size" or not is_known_elsewhere(entry.key):
        dimensions = (architecture.count(size) for tensor in tensors for size in tensor.shape)
        known = {*dimensions, *architecture.sizes.values()}
        return _may_be_dimension(entry, known, architecture.sizes.get(L, 0))
    if entry.key == "pad_vocab_size_multiple" and isinstance(entry.value, int):
        return architecture.sizes.get(V, 1) % entry.value == 0
    agrees = _agrees_with_tensors(entry, tensors)
    if agrees is None:
        agrees = _agrees_with_heads(entry, config)
    if agrees is None:
        return False  # not understood, so refused
    return agrees


def _may_be_dimension(entry: Entry, dimensions: Collection[int], layers: int) -> bool:
    """True if the size under an unknown key is among the architecture's dimensions.

    Also true for a list whose length isn't the number of layers: it has no sizes of layers.
    """
    if not isinstance(entry.value, tuple):
        return entry.value in dimensions
    if len(entry.value) != layers:
        return True
    is_constant = len({*entry.value}) == 1
    return is_constant and entry.value[0] in dimensions


def _has_biases(name: str, tensors: Collection[Tensor]) -> bool:
    """True if the components that a flag gives biases all have them; false for other keys."""
    biased = {tensor.component for tensor in tensors if tensor.role is Role.BIAS}
    starts = COMPONENTS_WITH_BIAS.get(name, ())
    each_has = [any(each.startswith(start) for each in biased) for start in starts]
    return bool(each_has) and all(each_has)


def _agrees_with_tensors(entry: Entry, tensors: Collection[Tensor]) -> bool | None:
    """True if tensors show that an entry agrees; None if it doesn't describe tensors."""
    name = entry.key
    components = {tensor.component for tensor in tensors}
    biased = {tensor.component for tensor in tensors if tensor.role is Role.BIAS}
    if name in COMPONENTS_WITH_BIAS:
        return _has_biases(name, tensors)
    if name == "no_bias":
        has_bias = any(each.startswith(PROJECTIONS) for each in biased)
        return not has_bias if entry.value else has_bias  # the flag's value may also be 0 or 1
    if name in k.QK_NORM.names:
        return "qk_norm" in components
    if name in RMS_NORM:
        return "norms" not in biased
    if names_gated_activation(entry):
        return have_gate(components) or "mlp_up" not in components
    return None


def _agrees_with_heads(entry: Entry, config: Config) -> bool | None:
    """True if the heads are as an entry states; None if it states no number or dimension of heads.

    With multi-head latent attention, any value agrees, since no size depends on it.
    """
    values = {key: value for key, value in config.settings if isinstance(value, int)}
    heads, hidden = values.get(k.NUM_HEADS, 0), values.get(k.HIDDEN_DIM, 0)
    has_latent = k.KV_LORA_RANK in values
    name = re.sub(r"^(swa_|attn_config\.)", "", entry.key)
    if name in {*k.NUM_HEADS.names, *k.NUM_KV_HEADS.names, "kv_n_heads"}:
        # in a family without a key for key/value heads: multi-head attention, with H of them
        return has_latent or entry.value == heads
    if name in {*k.HEAD_DIM.names, "attention_head_dim", "v_head_dim"}:
        head_dims = {value for key, value in values.items() if key.name.endswith("head_dim")}
        default = hidden // heads if heads else None
        return has_latent or entry.value in {*head_dims, default}
    return None
