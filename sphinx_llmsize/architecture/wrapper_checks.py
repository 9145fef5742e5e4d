"""Checks of multimodal configurations: their classes, and sizes that transformers fills in."""

from __future__ import annotations

import re

from sphinx_llmsize.architecture.classes import classes
from sphinx_llmsize.architecture.families import MODULE_OF, family_named
from sphinx_llmsize.architecture.foreign_code import classes_in_auto_map
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import _

INNER_CLASSES = ("VLlama3ForCausalLM",)
"""Further classes that text sections of released models name."""
HEADS = re.compile("(ForConditionalGeneration|ForCausalLM|ForVision2Seq|ForVisionText2Text)$")
"""Endings of the classes with an LM head in transformers."""
OTHER_CLASSES = ("InternVLChatModel", "NemotronH_Omni_Reasoning_V3")
"""Other classes with an LM head."""
CLASS_PREFIX = 3
"""Number of first letters that a ``model_type`` and its classes have in common."""


def check_class(section: Section, name: str) -> None:
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


def check_code(section: Section, name: str) -> None:
    """Check that ``auto_map`` names classes of the model."""
    entry = section.get("auto_map")
    if entry and isinstance(entry.value, Section):
        for found in classes_in_auto_map(entry.value):
            if not _is_alike(name, found) and found not in OTHER_CLASSES:
                named = {"key": "auto_map", "model": name}
                hint = _("a variant of its own? remove {key} if {model} is meant", **named)
                raise _wrong_class(found, name, hint, entry.line)


def check_inner_class(text: Section, text_type: str) -> None:
    """Check that ``architectures`` in the text decoder's section names a class of its type."""
    found, line = _first_class(text)
    if found is None or text_type not in MODULE_OF:
        return
    known = (*family_named(text_type).architectures, *classes().get(text_type, ()))
    if found not in (*known, *INNER_CLASSES):
        message = _("{name} is not a class of {type}", name=found[:60], type=text_type)
        raise ConfigError(message, Problem.VALUE, _("correct one of them"), line)
