"""A mapping from Python as a :class:`Section`: the same entries, without lines."""

from __future__ import annotations

from collections.abc import Mapping

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import MAX_DEPTH, Entry, Section, Value, section, syntax_error
from sphinx_llmsize.translation import _


def section_of(mapping: Mapping[str, object], depth: int = 0) -> Section:
    """The mapping's entries, nested mappings and lists included.

    Raises:
        ConfigError: a value is no number, flag, text, list or mapping, or a key is there twice.
    """
    return section([Entry(str(key), _value(key, mapping[key], depth), None) for key in mapping])


def _value(key: object, value: object, depth: int) -> Value:
    if depth > MAX_DEPTH:
        raise syntax_error(_("more than {number} levels of nesting", number=MAX_DEPTH), None)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return section_of(value, depth + 1)
    if isinstance(value, (list, tuple)):
        return tuple(_value(key, item, depth + 1) for item in value)
    message = _("{key} cannot be of type {name}", key=str(key)[:60], name=type(value).__name__)
    raise ConfigError(
        message, Problem.VALUE, _("a number, true or false, text, a list or a mapping")
    )
