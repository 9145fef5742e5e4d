"""The table of families, and how a configuration finds its own.

A new family is a file beside this one and its line in :data:`FAMILIES`.
"""

from __future__ import annotations

from sphinx_llmsize.architecture.families.gpt2 import GPT2
from sphinx_llmsize.architecture.families.llama import LLAMA
from sphinx_llmsize.architecture.families.textbook import TEXTBOOK
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.config.vocabulary import MODEL_TYPE
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.sources.marks import Section

FAMILIES: tuple[Family, ...] = (LLAMA, GPT2, TEXTBOOK)

_BY_MODEL_TYPE = {family.model_type: family for family in FAMILIES if family.model_type}
_BY_CLASS = {name: family for family in FAMILIES for name in family.architectures}


def family_of(section: Section) -> Family:
    """The family a configuration names by ``model_type`` or, failing that, ``architectures``.

    Raises:
        ConfigError: it names one that is not supported; never a guess in its place.
    """
    if entry := section.get(MODEL_TYPE.name):
        return _named(entry.value, entry.line, _BY_MODEL_TYPE)
    if (entry := section.get("architectures")) and isinstance(entry.value, tuple) and entry.value:
        return _named(entry.value[0], entry.line, _BY_CLASS)
    return TEXTBOOK


def _named(name: object, line: int | None, table: dict[str, Family]) -> Family:
    if isinstance(name, str) and name in table:
        return table[name]
    shown = str(name)[:60]
    known = ", ".join(table)
    raise ConfigError(
        f"model_type {shown!r} is not supported",
        Problem.VALUE,
        hint=did_you_mean(shown, table) or f"supported: {known}",
        line=line,
    )
