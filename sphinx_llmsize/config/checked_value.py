"""Check of a value in a configuration, with a suggested fix for a wrong one."""

from __future__ import annotations

import re
from math import isinf
from typing import TYPE_CHECKING, cast

from sphinx_llmsize.config.key import LAYER_NUMBERS, MAX_COUNT, Key, ValueKind
from sphinx_llmsize.config.keys.common import TIE_EMBEDDINGS
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.factor_text import is_scaling
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.translation import N_, _, localize

if TYPE_CHECKING:
    from sphinx_llmsize.config.config import Setting
    from sphinx_llmsize.sources.located import Value

_GROUPED = re.compile("[1-9][0-9]{0,2}([,.' ][0-9]{3}){1,4}")
"""Number whose digits are grouped: ``4,096``."""
_WRITE_DIGITS = N_("write digits only, such as 4096")
NULL_VALUES: dict[ValueKind, Value] = {ValueKind.FLAG: False, ValueKind.SECTION: Section(())}
"""Values that null stands for in a ``config.json``, by kind."""


def check_value(entry: Entry, key: Key) -> Setting:
    """Return an entry's value if it is valid for the key.

    For optional sizes, ``auto`` means null. Layers' numbers are always returned as a list.

    Raises:
        ConfigError: the value is of another kind or out of range.
    """
    value = entry.value
    if value == "auto" and key.optional and key.kind is ValueKind.COUNT:
        value = None
    if (value is None and key.optional) or key.kind.fits(value):
        return _layer_numbers(value) if key.kind in LAYER_NUMBERS else cast("Setting", value)
    kind, described = _(key.kind.label), _describe(value)
    message = _("{key} must be {kind}, not {value}", key=entry.key, kind=kind, value=described)
    raise ConfigError(message, Problem.VALUE, hint=_hint(value, key), line=entry.line)


def _layer_numbers(value: Value) -> tuple[int, ...] | None:
    """Layers' numbers as a list: those of a list, of a text such as ``3,4,5``, or a single one."""
    if isinstance(value, str):
        return tuple(map(int, value.split(",")))
    return (value,) if isinstance(value, int) else cast("tuple[int, ...] | None", value)


def _describe(value: Value) -> str:
    """Describe an invalid value in a message: ``4096.0``, ``the text 'x'``, ``a list``."""
    if value is None:
        return _("empty")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not isinf(value):
        # 4096.0 must not look like the whole number 4096
        return f"{value:.1f}" if value.is_integer() and abs(value) <= MAX_COUNT else f"{value:g}"
    if isinstance(value, (int, float)):
        # str() raises ValueError for more than 4300 digits
        return localize(f"{value:,}") if abs(value) <= MAX_COUNT**2 else _("a very large number")
    if isinstance(value, str):
        return _("the text {value}", value=repr(value[:60]))
    return _("a list") if isinstance(value, tuple) else _("a mapping")


def _hint(value: Value, key: Key) -> str:
    """Suggested fix for an invalid value; empty if there is none."""
    if key.kind is ValueKind.FLAG:
        return _("write true or false")
    if key.kind not in (ValueKind.COUNT, ValueKind.WHOLE):
        return ""
    if isinstance(value, float) and value.is_integer() and 1 <= value <= MAX_COUNT:
        return _("write {value}", value=f"{value:.0f}")
    if isinstance(value, int) and not isinstance(value, bool) and value > MAX_COUNT:
        return _("at most {number}", number=MAX_COUNT)
    if is_scaling(value):
        return _("a factor such as *2 needs a model to scale: name a released one or your own")
    return _hint_for_digits(value) if isinstance(value, str) else _(_WRITE_DIGITS)


def _hint_for_digits(text: str) -> str:
    """Suggested fix for a text of digits, perhaps in groups or with leading zeros; empty for 0."""
    if _GROUPED.fullmatch(text):
        return _("write {value}", value=re.sub("[^0-9]", "", text))
    if not (text.isascii() and text.isdigit()):
        return _(_WRITE_DIGITS)
    digits = text.lstrip("0")
    if len(digits) > len(str(MAX_COUNT)):
        return _("at most {number}", number=MAX_COUNT)
    return _("write {digits} without quotes or leading zeros", digits=digits) if digits else ""


def replace_null(entry: Entry, key: Key) -> Entry:
    """Entry with the value that null stands for, such as false for a flag.

    Null remains if it stands for the family's default, as it does for tied embeddings.
    """
    value = None if key is TIE_EMBEDDINGS else NULL_VALUES.get(key.kind)
    return Entry(entry.key, value, entry.line)
