"""From an entry's raw value to the number, flag or name that its key wants."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf
from typing import TYPE_CHECKING, cast

from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx_llmsize.config.config import Setting
    from sphinx_llmsize.sources.located import Entry, Value

MAX_COUNT = 10**15
"""Larger than any size of any model; keeps totals within what people can read."""


def setting(entry: Entry, key: Key) -> Setting:
    """The entry's value as its key's kind.

    Raises:
        ConfigError: it is of another kind, or out of range.
    """
    value = None if _is_auto(entry.value, key) else entry.value
    if (value is None and key.optional) or _fits(value, key.kind):
        return cast("Setting", value)
    raise ConfigError(
        _(
            "{key} must be {kind}, not {value}",
            key=entry.key,
            kind=_(key.kind.value),
            value=_shown(value),
        ),
        Problem.VALUE,
        hint=_hint(value, key),
        line=entry.line,
    )


def _is_auto(value: Value, key: Key) -> bool:
    """Whether a size is written as ``auto``, which is null by another name."""
    return value == "auto" and key.optional and key.kind is Kind.COUNT


def _fits(value: Value, kind: Kind) -> bool:
    return _CHECKS[kind](value)


def _is_count(value: object) -> bool:
    return _is_whole(value) and value != 0


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_COUNT


def _is_layer(value: object) -> bool:
    return _is_whole(value) or (isinstance(value, int) and value == -1)


def _is_ratio(value: object) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and 0 < value <= MAX_COUNT  # type: ignore[operator]


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_name(value: object) -> bool:
    return isinstance(value, str)


def _are_counts(value: object) -> bool:
    return all(map(_is_whole, value)) if isinstance(value, tuple) else _is_whole(value)


def _are_names(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(name, str) for name in value)


def _is_pattern(value: object) -> bool:
    return _is_whole(value) or (isinstance(value, str) and value != "" and set(value) <= {*"LG"})


def _are_turns(value: object) -> bool:
    """Whether it is like GPT-Neo's ``[[["global", "local"], 12]]``."""
    return isinstance(value, tuple) and all(map(_is_turn, value))


def _is_turn(value: object) -> bool:
    match value:
        case (kinds, applications):
            return _are_names(kinds) and _is_whole(applications)
    return False


_CHECKS: dict[Kind, Callable[[object], bool]] = {
    Kind.COUNT: _is_count,
    Kind.WHOLE: _is_whole,
    Kind.LAYER: _is_layer,
    Kind.RATIO: _is_ratio,
    Kind.FLAG: _is_flag,
    Kind.NAME: _is_name,
    Kind.CHOICE: lambda value: isinstance(value, (str, bool)),
    Kind.SECTION: lambda value: isinstance(value, Section),
    Kind.COUNTS: _are_counts,
    Kind.LAYERS: _are_counts,
    Kind.LETTERS: _is_name,
    Kind.NAMES: _are_names,
    Kind.WINDOW: _is_layer,
    Kind.PATTERN: _is_pattern,
    Kind.TURNS: _are_turns,
}


def _shown(value: Value) -> str:
    if value is None:
        return _("empty")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not isinf(value):
        # 4096.0 is not said to be 4096
        return f"{value:.1f}" if value.is_integer() and abs(value) <= MAX_COUNT else f"{value:g}"
    if isinstance(value, (int, float)):
        # int() to text has a limit of its own, far above any size
        return f"{value:,}" if abs(value) <= MAX_COUNT**2 else _("a number that large")
    if isinstance(value, str):
        return _("the text {value}", value=repr(value[:60]))
    return _("a list") if isinstance(value, tuple) else _("a mapping")


def _hint(value: Value, key: Key) -> str:
    """What to write instead, where that can be told."""
    if key.kind not in (Kind.COUNT, Kind.WHOLE):
        return _("write true or false") if key.kind is Kind.FLAG else ""
    if isinstance(value, float) and value.is_integer() and 1 <= value <= MAX_COUNT:
        return _("write {value}", value=f"{value:.0f}")
    if isinstance(value, int) and not isinstance(value, bool) and value > MAX_COUNT:
        return _at_most()
    if isinstance(value, str) and value.isascii() and value.isdigit():
        digits = value.lstrip("0")
        if len(digits) > len(str(MAX_COUNT)):
            return _at_most()
        return _("write {digits} without quotes or leading zeros", digits=digits) if digits else ""
    return _("write digits only, such as 4096")


def _at_most() -> str:
    return _("at most {number}", number=MAX_COUNT)
