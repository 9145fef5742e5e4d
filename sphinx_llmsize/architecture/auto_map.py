"""Refusal of models whose code, named in ``auto_map``, is not that of their ``model_type``.

Without this check, the family's usual architecture would be counted instead, without a warning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import _

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
        named = {"name": repr(name), "module": repr(module), "model": family_in_words(model_type)}
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


def family_in_words(model_type: str) -> str:
    """Description of the family in messages."""
    return f"model_type {model_type}" if model_type else _("a model without model_type")
