"""Refusal of models with code of their own under a known ``model_type``.

A ``config.json`` names such code in ``auto_map``, or has keys of another architecture. Without this
check, the family's usual architecture would be counted instead, without a warning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.foreign_keys import is_gate, is_known_elsewhere
from sphinx_llmsize.config.symbols import E, L, V
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx_llmsize.architecture.architecture import Architecture
    from sphinx_llmsize.config.config import Config
    from sphinx_llmsize.config.parsed_config import ParsedConfig

UNREAD: dict[str, tuple[str, ...]] = {
    "bailing_hybrid": ("moe_router_enable_expert_bias", "use_qk_norm"),
    "bert-generation": ("type_vocab_size",),
    "deberta": ("share_att_key",),
    "deepseek_v4": ("attention_bias", "mlp_layer_types", "n_shared_experts", "qk_rope_head_dim"),
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
    "step3p5": ("use_moe",),
    "switch_transformers": ("dense_act_fn", "feed_forward_proj", "is_gated_act"),
    "zamba2": ("kv_channels", "mamba_headdim", "use_conv_bias"),
}
"""Keys that transformers writes to the files of a family, though its model doesn't read them."""
PROJECTIONS = ("attn_q", "attn_o", "mlp_")
"""Beginnings of the names of components in attention and MLP that can have biases."""
BIASED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((*k.ATTENTION_BIAS.names, *k.QKV_BIAS.names), ("attn_q",)),
    **dict.fromkeys(("attention_out_bias", "attention_output_bias"), ("attn_o",)),
    **dict.fromkeys(k.MLP_BIAS.names, ("mlp_",)),
    **dict.fromkeys(k.LM_HEAD_BIAS.names, ("lm_head",)),
    **dict.fromkeys(k.BIAS.names, PROJECTIONS),
}
"""Beginnings of the names of components that have biases if this flag is true."""
RMS_NORM = ("rms_norm", "rmsnorm", "use_RMSNorm")
"""Flags of norms without biases."""
OTHER_CLASSES: dict[str, tuple[str, ...]] = {
    "ernie4_5_moe": ("Ernie4_5_Model",),
    "gpt2": ("GPT2CustomConfig",),
    "hunyuan_v1_dense": ("HunYuanConfig",),
    "hunyuan_v1_moe": ("HunYuanConfig",),
}
"""Further classes in the ``auto_map`` of a family's released models."""
OTHER_MODULES: dict[str, tuple[str, ...]] = {
    "gpt2": ("gpt2_mq",),
    "gte": ("alibaba_nlp_gte",),
    "llama": ("flash_llama", "llama_yarn", "llama_together_yarn"),
    "mistral": ("gritlm7b", "mistral_yarn"),
    "mixtral": ("gritlm8x7b", "moe_mistral"),
    "phimoe": ("slimmoe",),
}
"""Further modules in the ``auto_map`` of released models that have a family's parameters.

They change the computation only: multi-query attention (which the family has), FlashAttention,
YaRN's rotation angles, and GritLM's attention in both directions.
"""
MODULE_WORDS = ("config", "configuration", "hf", "model", "modeling", "modelling", "transformers")
"""Words in the names of modules that say nothing about the architecture."""
ENDINGS = re.compile(
    "(config|pretrainedmodel|model|lmheadmodel|withlmheadmodel"
    "|for[a-z]*(lm|generation|classification|answering|choice|prediction|pretraining))$"
)
"""Ending of a class name in lower case, after the name of its family."""


def refuse_foreign_code(section: Section, model_type: str, classes: Collection[str]) -> None:
    """Check that ``auto_map`` names classes and modules of the family.

    Many released files still name their original code, although it is now part of transformers.
    Other code often keeps the names of the classes, and only its module has another name:
    ``modeling_mobillama.LlamaForCausalLM`` shares one MLP among all layers.

    Args:
        section: entries of a configuration.
        model_type: the family.
        classes: its class names.

    Raises:
        ConfigError: ``auto_map`` names another class or module.
    """
    entry = section.get("auto_map")
    if entry is None or not isinstance(entry.value, Section):
        return
    names = (*classes, *OTHER_CLASSES.get(model_type, ()))
    own = {_family_name(name) for name in names} | {_plain(model_type)}
    modules = {_letters(name) for name in (*own, *OTHER_MODULES.get(model_type, ()))}
    for path in _paths_in_auto_map(entry.value):
        module, name = _module_and_class(path)
        named = {"name": repr(name), "module": repr(module), "model": _described(model_type)}
        # a module's name may be shortened, or have no letters of its own, as ``modeling``
        is_own_module = any(other.startswith(_letters(module)) for other in modules)
        if _family_name(name) not in own:
            message = _("auto_map names {name}, which is not a class of {model}", **named)
        elif not is_own_module:
            message = _("auto_map names {module}, which is not a module of {model}", **named)
        else:
            continue
        hint = _("a variant of its own? remove auto_map if {model} is meant", **named)
        raise ConfigError(message, Problem.VALUE, hint, entry.line)


def refuse_foreign_keys(
    parsed: ParsedConfig, model_type: str, config: Config, built: Architecture
) -> None:
    """Check that keys of other families, and unknown sizes, agree with the architecture.

    Raises:
        ConfigError: one of them contradicts it.
    """
    for entry in parsed.foreign:
        if entry.key in UNREAD.get(model_type, ()) or _agrees(entry, config, built):
            continue
        named = {"key": entry.key[:100], "model": _described(model_type)}
        hint = _("a variant of its own? remove {key} if {model} is meant", **named)
        if not is_known_elsewhere(entry.key):
            raise parsed.unknown_key(entry).hinting(hint)
        message = _("{key} is not a key of {model}: other models have other sizes with it", **named)
        if is_gate(entry):
            named["value"] = repr(str(entry.value)[:60])
            message = _("{key} {value} has a gate, but the MLP of {model} has none", **named)
        raise ConfigError(message, Problem.KEY, hint, entry.line)


def _agrees(entry: Entry, config: Config, built: Architecture) -> bool:
    """True if an entry only repeats what the architecture has."""
    tensors = [tensor for place in built.places() for tensor in place.stage.tensors]
    if "experts" in entry.key and E not in built.symbols:
        return False
    # ``org_vocab_size`` is a key of HunyuanVL; elsewhere, it can repeat any size
    if entry.key == "org_vocab_size" or not is_known_elsewhere(entry.key):
        dimensions = (built.count(size) for tensor in tensors for size in tensor.shape)
        return _is_one_of(entry, {*dimensions, *built.sizes.values()}, built.sizes.get(L, 0))
    if entry.key == "pad_vocab_size_multiple" and isinstance(entry.value, int):
        return built.sizes.get(V, 1) % entry.value == 0
    biased = {tensor.component for tensor in tensors if tensor.role is Role.BIAS}
    by_tensors = _agrees_with_tensors(entry, {tensor.component for tensor in tensors}, biased)
    return _has_head_size(entry, config) if by_tensors is None else by_tensors


def _is_one_of(entry: Entry, dimensions: Collection[int], layers: int) -> bool:
    """True if the size under an unknown key is among the architecture's dimensions.

    Also true for a list without an entry for each layer, which is no list of sizes by layer.
    """
    if not isinstance(entry.value, tuple):
        return entry.value in dimensions
    is_constant = len({*entry.value}) == 1
    return len(entry.value) != layers or (is_constant and entry.value[0] in dimensions)


def _agrees_with_tensors(
    entry: Entry, components: Collection[str], biased: Collection[str]
) -> bool | None:
    """True if tensors show that an entry agrees; None if it doesn't describe tensors.

    Args:
        entry: entry of a configuration.
        components: names of the model's components.
        biased: those with biases.
    """
    name = entry.key
    if starts := BIASED.get(name):
        return all(any(each.startswith(start) for each in biased) for start in starts)
    if name == "no_bias":
        return entry.value is not any(each.startswith(PROJECTIONS) for each in biased)
    if name in k.QK_NORM.names:
        return "qk_norm" in components
    if name in RMS_NORM:
        return "norms" not in biased
    if is_gate(entry):
        has_gate = any(each.startswith("mlp_gate") for each in components)
        return has_gate or "mlp_up" not in components
    return None


def _has_head_size(entry: Entry, config: Config) -> bool:
    """True if an entry is a number or dimension of heads that agrees with the configuration.

    Any value agrees in models with multi-head latent attention, whose sizes don't depend on it.
    """
    values = {key: value for key, value in config.settings if isinstance(value, int)}
    heads, hidden = values.get(k.NUM_HEADS, 0), values.get(k.HIDDEN_DIM, 0)
    has_latent = k.KV_LORA_RANK in values
    name = re.sub(r"^(swa_|attn_config\.)", "", entry.key)
    if name in {*k.NUM_HEADS.names, *k.NUM_KV_HEADS.names, "kv_n_heads"}:
        return has_latent or entry.value == heads
    if name in {*k.HEAD_DIM.names, "attention_head_dim", "v_head_dim"}:
        head_dims = {value for key, value in values.items() if key.name.endswith("head_dim")}
        usual = hidden // heads if heads else None
        return has_latent or entry.value in {*head_dims, usual}
    return False


def _described(model_type: str) -> str:
    """Description of the family in messages."""
    return f"model_type {model_type}" if model_type else _("a model without model_type")


def classes_in_auto_map(auto_map: Section) -> Iterator[str]:
    """Names of the models' and configurations' classes in ``auto_map``, without their modules."""
    yield from (_module_and_class(path)[1] for path in _paths_in_auto_map(auto_map))


def _paths_in_auto_map(auto_map: Section) -> Iterator[str]:
    """Classes of models and configurations with their modules: ``modeling_mpt.MPTModel``."""
    for entry in auto_map.entries:
        if entry.key.startswith(("AutoModel", "AutoConfig")):
            names = entry.value if isinstance(entry.value, tuple) else (entry.value,)
            yield from (str(name) for name in names if name)


def _module_and_class(path: str) -> tuple[str, str]:
    """Names in a path: ``org/repo--modeling_mpt.MPTModel`` is modeling_mpt and MPTModel."""
    modules, _dot, name = path.rpartition("--")[2].rpartition(".")
    return modules.rpartition(".")[2][:60], name[:60]


def _family_name(name: str) -> str:
    """Part of a class name that its family's classes share: ``MPTForCausalLM`` is mpt."""
    return ENDINGS.sub("", _plain(name))


def _plain(name: str) -> str:
    """Letters and digits of a name, in lower case."""
    return re.sub("[^a-z0-9]", "", name.casefold())


def _letters(module: str) -> str:
    """Letters of a module's name, in lower case: ``modeling_qwen2`` is qwen."""
    words = re.split("[^a-z]+", module.casefold())
    return "".join(word for word in words if word not in MODULE_WORDS)
