"""The table of families, and how a configuration finds its own.

A new family is a file beside this one and its line in :data:`FAMILIES`.
"""

from __future__ import annotations

from sphinx_llmsize.architecture.families.gpt2 import GPT2
from sphinx_llmsize.architecture.families.llama import LLAMA
from sphinx_llmsize.architecture.families.textbook import TEXTBOOK
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.config.vocabulary import MODEL_TYPE
from sphinx_llmsize.errors import NEARLY_EQUAL, ConfigError, Problem, did_you_mean
from sphinx_llmsize.sources.marks import Entry, Section

FAMILIES: tuple[Family, ...] = (LLAMA, GPT2, TEXTBOOK)

_BY_MODEL_TYPE = {family.model_type: family for family in FAMILIES}
_BY_CLASS = {name: family for family in FAMILIES for name in family.architectures}


def family_named(model_type: str) -> Family:
    """The family of a ``model_type`` that is known to exist."""
    return _BY_MODEL_TYPE[model_type]


def family_of(section: Section) -> Family:
    """The family a configuration names by ``model_type`` or, failing that, ``architectures``.

    Raises:
        ConfigError: it names one that is not supported; never a guess in its place.
    """
    if entry := section.get(MODEL_TYPE.name):
        return _named(entry, entry.value, {k: v for k, v in _BY_MODEL_TYPE.items() if k})
    if entry := section.get("architectures"):
        first = entry.value[0] if isinstance(entry.value, tuple) and entry.value else entry.value
        return _named(entry, first, _BY_CLASS)
    return TEXTBOOK


def _named(entry: Entry, name: object, table: dict[str, Family]) -> Family:
    if not isinstance(name, str):
        message, near = f"{entry.key} must be a name", ""
    elif name in table:
        return table[name]
    else:
        message = f"{entry.key} {name[:60]!r} is not supported"
        near = did_you_mean(name, table, NEARLY_EQUAL)
    raise ConfigError(
        message,
        Problem.VALUE,
        hint=near or f"supported: {', '.join(table)}",
        line=entry.line,
    )
