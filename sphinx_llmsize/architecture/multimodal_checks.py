"""Checks of multimodal configurations: classes, sizes that a file leaves out, and the LM head.

Each raises a ConfigError at the line of the mistake. ``name`` is the multimodal ``model_type``.
"""

from __future__ import annotations

import re

from sphinx_llmsize.architecture.auto_map import classes_in_auto_map, variant_hint
from sphinx_llmsize.architecture.classes import classes
from sphinx_llmsize.architecture.families import MODULE_OF, family_named
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import _

INNER_CLASSES = ("VLlama3ForCausalLM",)
"""Classes in the text sections of released models, beside those of the section's type."""
HEAD_CLASS = re.compile("(ForConditionalGeneration|ForCausalLM|ForVision2Seq|ForVisionText2Text)$")
"""Names of classes with an LM head in transformers, by their endings."""
MODELS_BY_OTHER_CLASS = {
    "InternVLChatModel": "internvl internvl_chat qianfan_ocr",
    "MultiModalityCausalLM": "multi_modality",
    "NemotronH_Omni_Reasoning_V3": "nemotron_h_omni",
    "Ovis": "ovis",
}
"""Models of each class with an LM head whose name doesn't follow transformers' rules."""
CLASS_PREFIX = 3
"""Number of first letters that a ``model_type`` and its classes have in common."""
WITH_WHOLE_TEXT_MODEL = ("blip-2", "instructblip", "instructblipvideo")
"""Models whose text part is a whole model with its own LM head, and can be an encoder-decoder."""
SIZES = (k.HIDDEN_DIM, k.NUM_LAYERS, k.NUM_HEADS, k.NUM_KV_HEADS, k.FFN_DIM, k.VOCAB_SIZE)
"""Sizes of dense models, for :data:`OWN_DEFAULTS`."""
MOE_SIZES = (
    k.HIDDEN_DIM, k.NUM_LAYERS, k.NUM_HEADS, k.FFN_DIM, k.VOCAB_SIZE,
    k.NUM_EXPERTS, k.NUM_SHARED_EXPERTS, k.EXPERT_DIM, k.FIRST_DENSE_LAYERS,
)  # fmt: skip
"""Sizes of models with experts, for :data:`OWN_DEFAULTS`."""
OWN_DEFAULTS: dict[str, tuple[Key, ...]] = {
    "deepseek_vl_v2": MOE_SIZES,
    "glmasr": SIZES,
    "kimi_vl": MOE_SIZES,
    "voxtral": (*SIZES, k.HEAD_DIM),
    "voxtral_realtime": (*SIZES, k.HEAD_DIM),
}
"""Sizes for which a multimodal model has other defaults than its text decoder's type."""
OVIS2_HEAD = {"hidden_size": 1536, "vocab_size": 151_643}
"""Keys at the top level that are the sizes of Ovis2's LM head, with their defaults."""


def check_no_text_section(nested: Entry | None, name: str) -> None:
    """Check that a file whose ``model_type`` isn't multimodal has no text decoder's section.

    Args:
        nested: entry with the section; None if there is none.
        name: the ``model_type``; empty if the file has none.
    """
    if nested is None or name not in MODULE_OF:  # the textbook decoder is in MODULE_OF, by ""
        return
    if not name:
        message = _("{section} without the model_type of the whole model", section=nested.key)
        hint = _("add model_type, such as gemma3")
        raise ConfigError(message, Problem.MISSING, hint, nested.line)
    message = _("model_type {name} has no {section}", name=name, section=nested.key)
    hint = _("write the model_type of the whole model, or the keys of {key} alone", key=nested.key)
    raise ConfigError(message, Problem.KEY, hint, nested.line)


def check_class(section: Section, name: str) -> None:
    """Check that ``architectures`` names a class of the model, with an LM head."""
    class_name, line = first_class_and_line(section)
    if class_name is None or _is_other_class(name, class_name):
        return
    if not _have_same_prefix(name, class_name) or not HEAD_CLASS.search(class_name):
        hint = _("only the class with an LM head is counted; leave out architectures for it")
        raise _wrong_class(class_name, name, hint, line)


def first_class_and_line(section: Section) -> tuple[str | None, int | None]:
    """First class in ``architectures``, and the line of this key; None for either if absent."""
    entry = section.get(k.ARCHITECTURES.name)
    names = entry.value if entry and isinstance(entry.value, tuple) else ()
    class_name = names[0] if names and isinstance(names[0], str) else None
    return class_name, entry.line if entry else None


def _wrong_class(class_name: str, name: str, hint: str, line: int | None) -> ConfigError:
    """Error for a class that is not one of the model's, or has no LM head."""
    message = _("class {found} of {name} is not supported", found=repr(class_name[:60]), name=name)
    return ConfigError(message, Problem.VALUE, hint, line)


def _have_same_prefix(name: str, class_name: str) -> bool:
    """True if a ``model_type`` and a class begin with the same letters."""

    def prefix(text: str) -> str:
        return text.casefold().replace("-", "").replace("_", "")[:CLASS_PREFIX]

    return prefix(name) == prefix(class_name)


def _is_other_class(name: str, class_name: str) -> bool:
    """True if a class of :data:`MODELS_BY_OTHER_CLASS` is one of the model."""
    return name in MODELS_BY_OTHER_CLASS.get(class_name, "").split()


def check_code(section: Section, name: str) -> None:
    """Check that ``auto_map`` names classes of the model."""
    entry = section.get("auto_map")
    if entry and isinstance(entry.value, Section):
        for class_name in classes_in_auto_map(entry.value):
            if not _have_same_prefix(name, class_name) and not _is_other_class(name, class_name):
                raise _wrong_class(class_name, name, variant_hint(name), entry.line)


def check_inner_class(text: Section, text_type: str) -> None:
    """Check that ``architectures`` in the text decoder's section names a class of its type."""
    class_name, line = first_class_and_line(text)
    if class_name is None or text_type not in MODULE_OF:
        return
    known = (*family_named(text_type).architectures, *classes().get(text_type, ()))
    if class_name not in (*known, *INNER_CLASSES):
        message = _("{name} is not a class of {type}", name=class_name[:60], type=text_type)
        raise ConfigError(message, Problem.VALUE, _("correct one of them"), line)


def check_sizes(text: Section, name: str, line: int | None) -> None:
    """Check that the text decoder's section has the sizes of :data:`OWN_DEFAULTS`.

    Args:
        text: the text decoder's section.
        name: the multimodal ``model_type``.
        line: line of the section, for the error.
    """
    missing = [key.name for key in OWN_DEFAULTS.get(name, ()) if _value(text, key) is None]
    if missing:
        message = _("missing {names}", names=", ".join(missing))
        hint = _("{model} has other defaults than the text decoder's type; add them", model=name)
        raise ConfigError(message, Problem.MISSING, hint, line)


def check_lm_head(
    section: Section, text: Section, name: str, family: Family, *, tied: bool
) -> None:
    """Check that the multimodal model's LM head has the sizes of the text decoder's own.

    Args:
        section: the whole configuration.
        text: the text decoder's section.
        name: the multimodal ``model_type``.
        family: the text decoder's family.
        tied: the LM head has the token embedding's weights.
    """
    if name not in WITH_WHOLE_TEXT_MODEL and k.EMBEDDING_DIM in family.defaults:
        _check_embedding_width(text, name, family)
    disabled = section.get("disable_tie_weight")
    if tied and disabled and disabled.value is True:
        message = _("{key} contradicts tied embeddings", key=disabled.key)
        hint = _("set tie_word_embeddings as the released weights have it")
        raise ConfigError(message, Problem.SHAPE, hint, disabled.line)
    if name == "ovis2" and not tied:
        _check_ovis2_head(section, text, name, family)


def _check_embedding_width(text: Section, name: str, family: Family) -> None:
    """Check that the text decoder's embeddings are as wide as its layers."""
    width = _value(text, k.HIDDEN_DIM, family.defaults[k.HIDDEN_DIM])
    if _value(text, k.EMBEDDING_DIM, width) != width:
        message = _("{model} cannot have a text decoder with projected embeddings", model=name)
        hint = _("transformers builds another LM head there")
        raise ConfigError(message, Problem.VALUE, hint, _line(text, k.EMBEDDING_DIM))


def _check_ovis2_head(section: Section, text: Section, name: str, family: Family) -> None:
    """Check that the sizes at the top level, those of the LM head, are the text decoder's."""
    for key, default in OVIS2_HEAD.items():
        size = family.vocabulary[key]
        outer = _value(section, size, default)
        inner = _value(text, size, family.defaults[size])
        if outer != inner:
            values = {"key": key, "model": name, "outer": str(outer), "inner": str(inner)}
            message = _("{key} of {model} is {outer} at the top level", **values)
            hint = _("the LM head has that size; write {inner} as in text_config", **values)
            raise ConfigError(message, Problem.SHAPE, hint, _line(section, size))


def _value(section: Section, key: Key, default: object = None) -> object:
    """Value of a key by any of its names; the default if it is absent or null."""
    entry = section.first_set(key.names)
    return entry.value if entry else default


def _line(section: Section, key: Key) -> int | None:
    """Line of a key by any of its names, or of the section's first entry."""
    entries = (*filter(None, map(section.get, key.names)), *section.entries)
    return entries[0].line if entries else None
