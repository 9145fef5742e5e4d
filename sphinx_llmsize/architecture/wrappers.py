"""Extraction of the text decoder from a multimodal configuration."""

from __future__ import annotations

import re

from sphinx_llmsize.architecture.classes import classes
from sphinx_llmsize.architecture.families import MODULE_OF, WRAPPED, WRAPPERS, family_named
from sphinx_llmsize.architecture.foreign_code import classes_in_auto_map
from sphinx_llmsize.architecture.wrapper_ties import tied_embeddings
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import _

TEXT_SECTIONS = ("text_config", "llm_config", "language_config", "thinker_config")
"""Names of the text decoder's section."""
FLAT = (
    "llava",
    "llava_llama",
    "llava_mistral",
    "llava_qwen",
    "llava_qwen2",
    "dots3_note",
    "glm4v",
    "glm5_next",
    "hunyuan_vl",
    "paddleocr_vl",
    "qwen2_vl",
    "qwen2_5_vl",
)
"""Multimodal models whose files can have the text decoder's keys at the top level."""
ORIGINAL_LLAVA = {
    "LlavaLlamaForCausalLM": "llama",
    "LlavaMistralForCausalLM": "mistral",
    "LlavaQwenForCausalLM": "qwen2",
    "LlavaQwen2ForCausalLM": "qwen2",
}
"""Classes in flat files of the original LLaVA, with the type of their text decoder."""
INNER_CLASSES = ("VLlama3ForCausalLM",)
"""Further classes that text sections of released models name."""
WITH_ENCODER = ("blip-2", "instructblip", "instructblipvideo")
"""Multimodal models whose text part can be an encoder-decoder, such as T5 in BLIP-2."""
OTHER_SECTIONS = ("quantization_config", "compression_config", "generation_config")
"""Sections that describe no part of a model."""
LAYER_COUNTS = (*k.NUM_LAYERS.names, "depth", "encoder_layers")
"""Keys of the number of layers of a vision tower or audio encoder."""
NOT_WRAPPED = (
    *("bailing_hybrid", "blt", "codegen", "gptj", "kimi_linear", "modernbert-decoder", "phi"),
    *("phi4_multimodal", "trocr", "zamba", "zaya"),
)
"""Decoders that cannot be part of another model, or have another LM head there."""
HEADS = re.compile("(ForConditionalGeneration|ForCausalLM|ForVision2Seq|ForVisionText2Text)$")
"""Endings of the classes with an LM head in transformers."""
OTHER_CLASSES = ("InternVLChatModel", "NemotronH_Omni_Reasoning_V3")
"""Other classes with an LM head."""
CLASS_PREFIX = 3
"""Number of first letters that a ``model_type`` and its classes have in common."""


def text_config(section: Section) -> Section:
    """Extract the text decoder's configuration from that of a listed multimodal model.

    Other configurations are returned unchanged.

    Raises:
        ConfigError: the section is missing or has a type that the model cannot have, or
            ``architectures`` names a class without an LM head.
    """
    name = _type_name(section)
    entries = filter(None, map(section.get, TEXT_SECTIONS))
    nested = next((entry for entry in entries if entry.value is not None), None)
    if name not in WRAPPERS:
        if nested and (name in MODULE_OF or not section.get(k.MODEL_TYPE.name)):
            raise _not_multimodal(name, nested)
        return section
    _check_class(section, name)
    _check_code(section, name)
    text = _text_section(section, nested, name)
    if WRAPPERS[name] in WRAPPERS:
        return text_config(_with_outer_parts(text, section, nested, name))
    text_type = _text_type(section, text, name)
    if text is not section:
        _check_inner_class(text, str(text_type.value))
    whole = (Entry("model_type", name, None), *_other_parts(section, nested))
    dropped = {k.MODEL_TYPE.name, k.ARCHITECTURES.name, *k.TIE_EMBEDDINGS.names}
    copied = tuple(entry for entry in text.entries if entry.key not in dropped)
    if text_type.value in MODULE_OF:
        family = family_named(str(text_type.value))
        tied, reasons = tied_embeddings(name, section, text, family.defaults.get(k.TIE_EMBEDDINGS))
        copied, whole = (*copied, *tied), (*whole, *reasons)
    part_of = Entry(k.TEXT_PART_OF.name, Section(whole), text_type.line)
    return Section((*copied, text_type, part_of))


def _type_name(section: Section) -> str:
    entry = section.get(k.MODEL_TYPE.name)
    return entry.value if entry and isinstance(entry.value, str) else ""


def _not_multimodal(name: str, nested: Entry) -> ConfigError:
    if name:
        message = _("model_type {name} has no {section}", name=name, section=nested.key)
        hint = _(
            "write the model_type of the whole model, or the keys of {key} alone", key=nested.key
        )
        return ConfigError(message, Problem.KEY, hint, nested.line)
    message = _("{section} without the model_type of the whole model", section=nested.key)
    return ConfigError(message, Problem.MISSING, _("add model_type, such as gemma3"), nested.line)


def _check_class(section: Section, name: str) -> None:
    """Check that ``architectures`` names a class of the model, with an LM head."""
    found, line = _first_class(section)
    if found is None or found in OTHER_CLASSES:
        return
    if not _is_alike(name, found) or not HEADS.search(found):
        hint = _("only the class with an LM head is counted; leave out architectures for it")
        raise _wrong_class(found, name, hint, line)


def _first_class(section: Section) -> tuple[str | None, int | None]:
    """First class in ``architectures``, None if there is none, and the line of the key."""
    entry = section.get(k.ARCHITECTURES.name)
    names = entry.value if entry and isinstance(entry.value, tuple) else ()
    found = names[0] if names and isinstance(names[0], str) else None
    return found, entry.line if entry else None


def _wrong_class(found: str, name: str, hint: str, line: int | None) -> ConfigError:
    message = _("class {found} of {name} is not supported", found=repr(found[:60]), name=name)
    return ConfigError(message, Problem.VALUE, hint, line)


def _is_alike(name: str, found: str) -> bool:
    """True if a ``model_type`` and a class begin with the same letters."""
    folded = (text.casefold().replace("-", "").replace("_", "") for text in (name, found))
    first, second = (text[:CLASS_PREFIX] for text in folded)
    return first == second


def _check_code(section: Section, name: str) -> None:
    """Check that ``auto_map`` names classes of the model."""
    entry = section.get("auto_map")
    if entry and isinstance(entry.value, Section):
        for found in classes_in_auto_map(entry.value):
            if not _is_alike(name, found) and found not in OTHER_CLASSES:
                named = {"key": "auto_map", "model": name}
                hint = _("a variant of its own? remove {key} if {model} is meant", **named)
                raise _wrong_class(found, name, hint, entry.line)


def _check_inner_class(text: Section, text_type: str) -> None:
    """Check that ``architectures`` in the text decoder's section names a class of its type."""
    found, line = _first_class(text)
    if found is None or text_type not in MODULE_OF:
        return
    known = (*family_named(text_type).architectures, *classes().get(text_type, ()))
    if found not in (*known, *INNER_CLASSES):
        message = _("{name} is not a class of {type}", name=found[:60], type=text_type)
        raise ConfigError(message, Problem.VALUE, _("correct one of them"), line)


def _text_section(section: Section, nested: Entry | None, name: str) -> Section:
    """Return the text decoder's section; the whole configuration if the model's files are flat."""
    if nested and isinstance(nested.value, Section):
        return nested.value
    if nested:
        message = _("{key} must be a mapping", key=nested.key)
        raise ConfigError(message, Problem.VALUE, line=nested.line)
    has_sizes = any(section.get(key) for size in k.ESSENTIAL_SIZES for key in size.names)
    if name in FLAT and has_sizes and not section.get("llm_cfg"):
        return section
    if name in WRAPPED and not has_sizes:
        return Section(())
    model_type = section.get(k.MODEL_TYPE.name)
    message = _("model_type {name} has the text decoder's sizes in text_config", name=name)
    hint = _("write them there, or use model_type {text}", text=WRAPPERS[name])
    raise ConfigError(message, Problem.MISSING, hint, model_type.line if model_type else None)


def _with_outer_parts(text: Section, section: Section, nested: Entry | None, name: str) -> Section:
    """Multimodal model within a larger one, with the version and other parts of the larger one."""
    inner = {entry.key: entry for entry in text.entries if entry.value is not None}
    default = Entry(k.MODEL_TYPE.name, WRAPPERS[name], None)
    outer = {
        entry.key: entry
        for entry in section.entries
        if entry.key == "transformers_version" or _is_part(entry, nested)
    }
    return Section(tuple({default.key: default, **outer, **inner}.values()))


def _original_llava(section: Section) -> str:
    """Type of the text decoder of an original LLaVA, by its class; empty without a class.

    Raises:
        ConfigError: the class is none of the known ones.
    """
    entry = section.get(k.ARCHITECTURES.name)
    found = entry.value[0] if entry and isinstance(entry.value, tuple) and entry.value else None
    if not entry or not isinstance(found, str):
        return ""
    if found not in ORIGINAL_LLAVA:
        message = _("class {found} is not supported", found=repr(found[:60]))
        hint = _("one of {names}", names=", ".join(ORIGINAL_LLAVA))
        raise ConfigError(message, Problem.VALUE, hint, entry.line)
    return ORIGINAL_LLAVA[found]


def _text_type(section: Section, text: Section, name: str) -> Entry:
    """Entry of the text decoder's ``model_type``; the multimodal model's default if it has none."""
    outer, entry = section.get(k.MODEL_TYPE.name), text.get(k.MODEL_TYPE.name)
    if text is section and name.startswith("llava") and (original := _original_llava(section)):
        return Entry(k.MODEL_TYPE.name, original, outer.line if outer else None)
    if entry is None or entry.value in {None, name}:
        return Entry(k.MODEL_TYPE.name, WRAPPERS[name], outer.line if outer else None)
    found = entry.value
    if not isinstance(found, str) or found == WRAPPERS[name]:
        return entry
    if name in WRAPPED or (found in MODULE_OF and not _can_have(name, found)):
        message = _("the text decoder of {name} cannot be {found}", name=name, found=found[:60])
        hint = _("such as {text}", text=WRAPPERS[name])
        raise ConfigError(message, Problem.VALUE, hint, entry.line)
    return entry


def _can_have(name: str, text_type: str) -> bool:
    """True if a model can have this text part: a decoder, in some models an encoder-decoder."""
    published = "".join(family_named(text_type).architectures[:1])
    ending = "ForConditionalGeneration" if name in WITH_ENCODER else "ForCausalLM"
    return text_type not in NOT_WRAPPED and published.endswith((ending, "ForCausalLM"))


def _other_parts(section: Section, nested: Entry | None) -> tuple[Entry, ...]:
    """Names of the sections that are not counted: ``towers``, which have layers, and ``others``."""
    parts = {
        entry.key: any(map(entry.value.get, LAYER_COUNTS))
        for entry in section.entries
        if isinstance(entry.value, Section) and _is_part(entry, nested)
    }
    towers = tuple(key for key, has_layers in parts.items() if has_layers)
    others = tuple(key for key, has_layers in parts.items() if not has_layers)
    return (Entry("towers", towers, None), Entry("others", others, None))


def _is_part(entry: Entry, nested: Entry | None) -> bool:
    """True if an entry describes a part of the model other than the text decoder."""
    is_section = isinstance(entry.value, Section) and entry.key.endswith("_config")
    return is_section and entry != nested and entry.key not in OTHER_SECTIONS
