"""What every reader of configuration text returns: values that know their line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Union

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

MAX_BYTES = 1_000_000
"""A configuration is a few kilobytes; what is larger is something else."""
MAX_DEPTH = 20
"""Nesting that no configuration has."""

_SURROGATE = re.compile("[\ud800-\udfff]")
"""What an escape can make, and no file can hold."""

Scalar = Union[int, float, bool, str, None]
Value = Union[Scalar, "tuple[object, ...]", "Section"]


@dataclass(frozen=True)
class Entry:
    """One ``key: value`` of a configuration; ``line`` is 0-based within its text, if it has one."""

    key: str
    value: Value
    line: int | None
    types: object = field(init=False, repr=False)
    """Part of equality: 1, 1.0 and True are equal to Python, but not as a setting."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "types", _types(self.value))


@dataclass(frozen=True)
class Section:
    """The entries of one mapping, in order, repeated keys refused."""

    entries: tuple[Entry, ...]

    def get(self, key: str) -> Entry | None:
        """The entry of that key, if it is there."""
        return next((entry for entry in self.entries if entry.key == key), None)


def section(entries: list[Entry]) -> Section:
    """A section of these entries.

    Raises:
        ConfigError: a key is there twice, at the second one's line; or a text is none.
    """
    seen: set[str] = set()
    for entry in entries:
        refuse_surrogates((entry.key, entry.value), entry.line)
        if entry.key in seen:
            raise ConfigError(
                _("duplicate key {key}", key=repr(entry.key[:60])),
                Problem.KEY,
                _("keep one of them"),
                entry.line,
            )
        seen.add(entry.key)
    return Section(tuple(entries))


def syntax_error(message: str, line: int | None, hint: str = "") -> ConfigError:
    """A text that cannot be read, at a 0-based line."""
    return ConfigError(message, Problem.SYNTAX, hint=hint, line=line)


def refuse_surrogates(value: object, line: int | None) -> None:
    """Refuse texts with half of a character.

    Raises:
        ConfigError: there is one.
    """
    if any(map(_SURROGATE.search, _texts(value))):
        raise syntax_error(_("a lone surrogate is no character"), line)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item)


def _types(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_types, value))
    return type(value)
