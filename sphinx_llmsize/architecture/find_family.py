"""Find the model family by a configuration's ``model_type`` or ``architectures``."""

from __future__ import annotations

import re

from sphinx_llmsize.architecture.families import MODEL_TYPES, WRAPPERS, all_families, family_named
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.errors import NEAR, NEARLY_EQUAL, ConfigError, Problem, nearest, suggestion
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import _


def find_family(section: Section) -> Family:
    """Find the family by ``model_type``, else by ``architectures``, else the textbook decoder.

    Raises:
        ConfigError: the model type or class is not supported.
    """
    if entry := section.get(k.MODEL_TYPE.name):
        return family_named(_look_up(entry, entry.value, {name: name for name in MODEL_TYPES}))
    if entry := section.get("architectures"):
        first = entry.value[0] if isinstance(entry.value, tuple) and entry.value else entry.value
        return family_named(_look_up(entry, first, _model_type_by_class()))
    return family_named("")


def _model_type_by_class() -> dict[str, str]:
    families = all_families()
    return {name: family.model_type for family in families for name in family.architectures}


def _look_up(entry: Entry, name: object, table: dict[str, str]) -> str:
    """Look up a name in a table of model types; ConfigError suggests the nearest name."""
    if not isinstance(name, str) or not name:
        message, hint = _("{key} must be a name", key=entry.key), _("such as llama")
    elif name in table:
        return table[name]
    else:
        message = _("{key} {name} is not supported", key=entry.key, name=repr(name[:60]))
        wrappers = WRAPPERS if entry.key == k.MODEL_TYPE.name else ()
        hint = _hint(name, sorted({*table, *wrappers}))
    raise ConfigError(message, Problem.VALUE, hint, line=entry.line)


def _hint(name: str, known: list[str]) -> str:
    """Suggest a misspelt name, else list the names of the same line of models; may be empty.

    Names of the same line start with the same letters. A name with other digits is another model,
    never a misspelling.
    """
    near = nearest(name, known, NEAR)
    if _DIGITS.findall(near) != _DIGITS.findall(name):
        near = ""
    line = [each for each in known if _letters(each) == _letters(name)]
    if near in line and nearest(name, [near], NEARLY_EQUAL):
        return suggestion(near)
    if line:
        return _("supported of this name: {names}", names=", ".join(line[:MAX_OF_LINE]))
    return suggestion(near) or _("the reference lists what is supported")


_DIGITS = re.compile("[0-9]+")
MAX_OF_LINE = 20
"""Maximum number of names that a hint lists."""


def _letters(name: str) -> str:
    """Letters that a name starts with, which models of one line have in common."""
    found = re.match("[a-z]*", name.casefold())
    return found[0] if found else ""
