"""Choice of the family by a configuration's ``model_type`` or ``architectures``."""

from __future__ import annotations

from sphinx_llmsize.architecture.families import (
    MODEL_TYPES,
    MODULE_OF,
    WRAPPED,
    all_families,
    family_named,
)
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.errors import NEARLY_EQUAL, ConfigError, Problem, did_you_mean, nearest
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import _


def text_config(section: Section) -> Section:
    """Extract the text decoder's configuration from a multimodal one (``text_config``).

    Other configurations are returned unchanged.
    """
    inner, outer = section.get("text_config"), section.get(k.MODEL_TYPE.name)
    name = outer.value if outer and isinstance(outer.value, str) else ""
    if name in MODULE_OF or not (name in WRAPPED or inner):
        return section
    if inner and isinstance(inner.value, Section):
        entries = list(inner.value.entries)
    else:
        entries = [entry for entry in section.entries if entry is not outer]
    keys = {entry.key for entry in entries}
    line = outer.line if outer else None
    own = next((entry for entry in entries if entry.key == k.MODEL_TYPE.name), None)
    if name in WRAPPED and (own is None or own.value in {None, name}):
        entries = [entry for entry in entries if entry is not own]
        entries.append(Entry(k.MODEL_TYPE.name, WRAPPED[name], line))
    # tied embeddings may be set on the whole model only
    shared = filter(None, map(section.get, k.TIE_EMBEDDINGS.names))
    entries += [entry for entry in shared if entry.key not in keys]
    return Section((*entries, Entry(k.TEXT_PART_OF.name, name, line)))


def find_family(section: Section) -> Family:
    """Find the family by ``model_type`` or, without it, by ``architectures``.

    Raises:
        ConfigError: the family is not supported; no other is guessed.
    """
    if entry := section.get(k.MODEL_TYPE.name):
        return family_named(_supported(entry, entry.value, {name: name for name in MODEL_TYPES}))
    if entry := section.get("architectures"):
        first = entry.value[0] if isinstance(entry.value, tuple) and entry.value else entry.value
        return family_named(_supported(entry, first, _model_type_of_class()))
    return family_named("")


def _model_type_of_class() -> dict[str, str]:
    families = all_families()
    return {name: family.model_type for family in families for name in family.architectures}


def _supported(entry: Entry, name: object, table: dict[str, str]) -> str:
    if not isinstance(name, str) or not name:
        message, hint = _("{key} must be a name", key=entry.key), _("such as llama")
    elif name in table:
        return table[name]
    else:
        message = _("{key} {name} is not supported", key=entry.key, name=repr(name[:60]))
        hint = did_you_mean(name, table, NEARLY_EQUAL)
        hint = hint or _("the nearest supported name is {name}", name=repr(nearest(name, table)))
    raise ConfigError(message, Problem.VALUE, hint, line=entry.line)
