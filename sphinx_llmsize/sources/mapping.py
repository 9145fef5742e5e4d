"""A mapping from Python as a :class:`Section`: the same entries, without lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from sphinx_llmsize.sources.marks import Entry, Section, Value


def section_of(mapping: Mapping[str, object]) -> Section:
    """The mapping's entries, nested mappings and lists included."""
    return Section(tuple(Entry(str(key), _value(value), None) for key, value in mapping.items()))


def _value(value: object) -> Value:
    if isinstance(value, Mapping):
        return section_of(value)
    if isinstance(value, (list, tuple)):
        return tuple(map(_value, value))
    return cast("Value", value)
