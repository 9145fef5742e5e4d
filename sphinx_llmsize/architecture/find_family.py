"""Find the model family by a configuration's ``model_type`` or ``architectures``."""

from __future__ import annotations

from sphinx_llmsize.architecture.classes import classes
from sphinx_llmsize.architecture.families import (
    MODEL_TYPES,
    MODULE_OF,
    WRAPPED,
    all_families,
    family_named,
)
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.unsupported import unsupported_hint
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.errors import NEARLY_EQUAL, ConfigError, Problem, did_you_mean, nearest
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import _


def text_config(section: Section) -> Section:
    """Extract the text decoder's configuration from a multimodal one (``text_config``).

    Other configurations are returned unchanged.
    """
    nested, model_type = section.get("text_config"), section.get(k.MODEL_TYPE.name)
    name = model_type.value if model_type and isinstance(model_type.value, str) else ""
    is_multimodal = name not in MODULE_OF and (name in WRAPPED or nested)
    if not is_multimodal:
        return section
    if nested and isinstance(nested.value, Section):
        entries = list(nested.value.entries)
    else:
        entries = [entry for entry in section.entries if entry is not model_type]
    line = model_type.line if model_type else None
    text_type = next((entry for entry in entries if entry.key == k.MODEL_TYPE.name), None)
    if name in WRAPPED and (text_type is None or text_type.value in {None, name}):
        entries = [entry for entry in entries if entry is not text_type]
        entries.append(Entry(k.MODEL_TYPE.name, WRAPPED[name], line))
    # tied embeddings may be set only at the top level, outside text_config
    keys = {entry.key for entry in entries}
    outer = filter(None, map(section.get, k.TIE_EMBEDDINGS.names))
    entries += [entry for entry in outer if entry.key not in keys]
    return Section((*entries, Entry(k.TEXT_PART_OF.name, name, line)))


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
    table = {name: family.model_type for family in families for name in family.architectures}
    for family in families:
        for name in classes().get(family.model_type, ()):
            table.setdefault(name, family.model_type)
    return table


def _look_up(entry: Entry, name: object, table: dict[str, str]) -> str:
    """Look up a name in a table of model types; ConfigError suggests the nearest name."""
    if not isinstance(name, str) or not name:
        message, hint = _("{key} must be a name", key=entry.key), _("such as llama")
    elif name in table:
        return table[name]
    else:
        message = _("{key} {name} is not supported", key=entry.key, name=repr(name[:60]))
        hint = unsupported_hint(name) or did_you_mean(name, table, NEARLY_EQUAL)
        hint = hint or _("the nearest supported name is {name}", name=repr(nearest(name, table)))
    raise ConfigError(message, Problem.VALUE, hint, line=entry.line)
