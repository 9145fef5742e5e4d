"""Refusal of models whose code, named in ``auto_map``, is not that of their ``model_type``.

Without this check, the family's usual architecture would be counted instead, without a warning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from sphinx_llmsize.architecture.classes import letters_and_digits
from sphinx_llmsize.config.parsed_config import family_in_words
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_, _

OTHER_CLASSES: dict[str, tuple[str, ...]] = {
    "ernie4_5_moe": ("Ernie4_5_Model",),
    "gpt2": ("GPT2CustomConfig",),
    "hunyuan_v1_dense": ("HunYuanConfig",),
    "hunyuan_v1_moe": ("HunYuanConfig",),
}
"""Further class names, other than the family's own, in the ``auto_map`` of its released models."""
OTHER_MODULES: dict[str, tuple[str, ...]] = {
    "gpt2": ("gpt2_mq",),
    "gte": ("alibaba_nlp_gte",),
    "llama": ("flash_llama", "llama_yarn", "llama_together_yarn"),
    "mistral": ("gritlm7b", "mistral_yarn"),
    "mixtral": ("gritlm8x7b", "moe_mistral"),
    "phimoe": ("slimmoe",),
    "sarvam_mla": ("sarvam_moe",),
}
"""Further module names, other than the family's own, in the ``auto_map`` of its released models.

The code in these modules has the family's parameters. It differs in the computation
(FlashAttention, YaRN's rotation angles, GritLM's bidirectional attention) or in options that the
family has as well (GPT-2's multi-query attention).
"""
MODULE_WORDS = ("config", "configuration", "hf", "model", "modeling", "modelling", "transformers")
"""Words in the names of modules that say nothing about the architecture."""
_CLASS_ENDING = re.compile(
    "(config|pretrainedmodel|model|lmheadmodel|withlmheadmodel"
    "|for[a-z]*(lm|generation|classification|answering|choice|prediction|pretraining))$"
)
"""Ending of a class name in lower case, after the name of its family."""


def check_auto_map(section: Section, model_type: str, classes: Collection[str]) -> None:
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
    family_classes = (*classes, *OTHER_CLASSES.get(model_type, ()))
    family_names = {*map(_family_name, family_classes), letters_and_digits(model_type)}
    family_modules = (*family_names, *OTHER_MODULES.get(model_type, ()))
    known_modules = {_distinctive_letters(module) for module in family_modules}
    for path in _paths_in_auto_map(entry.value):
        module, name = _module_and_class(path)
        if _family_name(name) not in family_names:
            message = N_("auto_map names {name}, which is not a class of {model}")
            raise _other_code(message, model_type, entry.line, name=repr(name))
        # a module's name may be shorter than the family's, or have only general words, such as
        # ``modeling``, which leave no letters and match any family
        letters = _distinctive_letters(module)
        if not any(known.startswith(letters) for known in known_modules):
            message = N_("auto_map names {module}, which is not a module of {model}")
            raise _other_code(message, model_type, entry.line, module=repr(module))


def _other_code(message: str, model_type: str, line: int | None, **names: str) -> ConfigError:
    """Error for a name of other code than the family's.

    Args:
        message: marked by ``N_``; its placeholder ``{model}`` is the family.
        model_type: the family.
        line: line of ``auto_map``.
        names: the other placeholders.
    """
    model = family_in_words(model_type)
    return ConfigError(_(message, model=model, **names), Problem.VALUE, variant_hint(model), line)


def variant_hint(model: str) -> str:
    """Hint for an ``auto_map`` that names other code than that of the model."""
    named = {"model": model, "key": "auto_map"}
    return _("the model may be a variant; if it is built like {model}, remove {key}", **named)


def classes_in_auto_map(auto_map: Section) -> Iterator[str]:
    """Yield the names of the model and configuration classes in ``auto_map``, without modules."""
    for path in _paths_in_auto_map(auto_map):
        _module, name = _module_and_class(path)
        yield name


def _paths_in_auto_map(auto_map: Section) -> Iterator[str]:
    """Yield the model and configuration classes with their modules: ``modeling_mpt.MPTModel``."""
    for entry in auto_map.entries:
        if entry.key.startswith(("AutoModel", "AutoConfig")):
            names = entry.value if isinstance(entry.value, tuple) else (entry.value,)
            yield from (str(name) for name in names if name)


def _module_and_class(path: str) -> tuple[str, str]:
    """Module and class of ``org/repo--modeling_mpt.MPTModel``: ``modeling_mpt``, ``MPTModel``.

    Longer names are cut at 60 characters.
    """
    _repository, _dashes, dotted_path = path.rpartition("--")
    module_path, _dot, name = dotted_path.rpartition(".")
    _package, _dot, module = module_path.rpartition(".")
    return module[:60], name[:60]


def _family_name(name: str) -> str:
    """Part of a class name that its family's classes share: ``MPTForCausalLM`` is mpt."""
    return _CLASS_ENDING.sub("", letters_and_digits(name))


def _distinctive_letters(name: str) -> str:
    """Letters of a module's or family's name, without digits and general words.

    Those of ``modeling_qwen2`` and of ``qwen2`` are ``qwen``.
    """
    words = re.split("[^a-z]+", name.casefold())
    return "".join(word for word in words if word not in MODULE_WORDS)
