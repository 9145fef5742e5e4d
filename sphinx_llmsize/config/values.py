"""From an entry's raw value to the number, flag or name that its key wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sphinx_llmsize.config.vocabulary import Key, Kind
from sphinx_llmsize.errors import ConfigError, Problem

if TYPE_CHECKING:
    from sphinx_llmsize.config.config import Setting
    from sphinx_llmsize.sources.marks import Entry, Value

MAX_COUNT = 10**15
"""Larger than any size of any model; keeps totals within what people can read."""


def setting(entry: Entry, key: Key) -> Setting:
    """The entry's value as its key's kind.

    Raises:
        ConfigError: it is of another kind, or out of range.
    """
    value = entry.value
    if (value is None and key.optional) or _fits(value, key.kind):
        return cast("Setting", value)
    raise ConfigError(
        f"{entry.key} must be {key.kind.value}, not {_shown(value)}",
        Problem.VALUE,
        hint=_hint(value, key),
        line=entry.line,
    )


def _fits(value: Value, kind: Kind) -> bool:
    if kind is Kind.FLAG:
        return isinstance(value, bool)
    if kind is Kind.NAME:
        return isinstance(value, str)
    if isinstance(value, bool):
        return False
    if kind is Kind.COUNT:
        return isinstance(value, int) and 1 <= value <= MAX_COUNT
    return isinstance(value, (int, float)) and 0 < value <= MAX_COUNT


def _shown(value: Value) -> str:
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int):
        # int() to text has a limit of its own, far above any size
        return f"{value:,}" if abs(value) <= MAX_COUNT**2 else "a number that large"
    if isinstance(value, str):
        return f"the text {value[:60]!r}"
    return "a list" if isinstance(value, tuple) else "a mapping"


def _hint(value: Value, key: Key) -> str:
    """What to write instead, where that can be told."""
    if key.kind is not Kind.COUNT:
        return "write true or false" if key.kind is Kind.FLAG else ""
    if isinstance(value, float) and value.is_integer() and 1 <= value <= MAX_COUNT:
        return f"write {value:.0f}"
    if isinstance(value, int) and not isinstance(value, bool) and value > MAX_COUNT:
        return f"at most {MAX_COUNT:,}"
    if isinstance(value, str) and value.isascii() and value.isdigit():
        digits = value.lstrip("0")[:16]
        return f"write {digits} without quotes or leading zeros" if digits else ""
    return "write digits only, such as 4096"
