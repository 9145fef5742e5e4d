"""Filters and tests for expressions: number formats, and a few of Jinja's built-in ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import partial, reduce
from operator import itemgetter

from sphinx_llmsize import formats
from sphinx_llmsize.escaping import escape_mermaid
from sphinx_llmsize.formats import AnyNumber, significant, three_digits, trimmed
from sphinx_llmsize.sandbox.limits import MAX_CHARACTERS, bounded, mistake, too_long
from sphinx_llmsize.sandbox.values import ArgumentKind, Function, Value, as_text
from sphinx_llmsize.traced import nearest
from sphinx_llmsize.translation import N_, NARROW_SPACE, _
from sphinx_llmsize.views.shared import typeset
from sphinx_llmsize.views.shared.data_size import UNITS

MAX_PLACES = 30
"""Maximum number of decimal places for the filter ``round``."""
_TEX = {
    **{character: f"\\{character}" for character in "%$#&_{}"},
    "\\": r"\backslash{}",
    "~": r"\sim{}",
    "^": r"\hat{}",
    "×": r"\times{}",
    ",": "{,}",
    NARROW_SPACE: r"\,",
}
"""TeX for each character with a special meaning in math mode."""
_TEX_SPECIAL = re.compile("|".join(map(re.escape, _TEX)))


def join(values: Sequence[Value], between: Value = "") -> str:
    """Join values as text; raises ConfigError if the result would be too long."""
    separator = as_text(between)
    texts = [as_text(value) for value in values]
    if sum(map(len, texts)) + len(separator) * len(texts) > MAX_CHARACTERS:
        raise too_long()
    return separator.join(texts)


def _in_unit(unit: str, number: AnyNumber) -> str:
    """Format a number of bytes in a unit, such as GB."""
    if unit != "bytes":
        return f"{three_digits(Fraction(number) / UNITS[unit])} {unit}"
    return _("1 byte") if number == 1 else _("{number} bytes", number=trimmed(number, 3))


def _tex(value: Value) -> str:
    """Format a whole number for TeX, with thousands separators; escape any other value."""
    if isinstance(value, int) and not isinstance(value, bool):
        return typeset.number(value)
    return _TEX_SPECIAL.sub(lambda found: _TEX[found[0]], as_text(value))


def _round(number: AnyNumber, places: int = 0) -> AnyNumber:
    """Round exactly, with halves up."""
    if not 0 <= places <= MAX_PLACES:
        raise mistake(_("round takes 0 to {number} decimal places", number=MAX_PLACES))
    return Fraction(nearest(Fraction(number) * 10**places), 10**places)


def _sum(items: Sequence[AnyNumber]) -> AnyNumber:
    """Sum whose intermediate results are bounded too."""
    return reduce(lambda one, other: bounded(one + other), items, 0)


_FILTERS = (
    Function("exact", formats.thousands, (ArgumentKind.WHOLE,), N_("use the filter round first")),
    Function("short", formats.short, (ArgumentKind.NUMBER,)),
    Function("words", formats.in_words, (ArgumentKind.NUMBER,)),
    Function("percent", formats.percent, (ArgumentKind.NUMBER,)),
    Function("significant", significant, (ArgumentKind.NUMBER,)),
    *(Function(unit, partial(_in_unit, unit), (ArgumentKind.NUMBER,)) for unit in UNITS),
    Function("abs", abs, (ArgumentKind.NUMBER,)),
    Function("int", int, (ArgumentKind.NUMBER,)),
    Function("round", _round, (ArgumentKind.NUMBER, ArgumentKind.WHOLE)),
    Function("tex", _tex, (ArgumentKind.ANY,)),
    Function("mermaid", lambda value: escape_mermaid(as_text(value)), (ArgumentKind.ANY,)),
    Function("upper", str.upper, (ArgumentKind.TEXT,)),
    Function("lower", str.lower, (ArgumentKind.TEXT,)),
    Function("length", len, (ArgumentKind.SIZED,)),
    Function("first", itemgetter(0), (ArgumentKind.LIST,)),
    Function("last", itemgetter(-1), (ArgumentKind.LIST,)),
    Function("join", join, (ArgumentKind.LIST, ArgumentKind.ANY)),
    Function("sum", _sum, (ArgumentKind.NUMBERS,)),
    # for an empty list, sorted() and an index raise IndexError, which has a message of its own
    Function("max", lambda items: sorted(items)[-1], (ArgumentKind.NUMBERS,)),
    Function("min", lambda items: sorted(items)[0], (ArgumentKind.NUMBERS,)),
)
FILTERS = {function.name: function for function in _FILTERS}
"""Words that can follow ``|``."""
_TESTS = (
    Function("none", lambda value: value is None, (ArgumentKind.ANY,)),
    Function("true", lambda value: value is True, (ArgumentKind.ANY,)),
    Function("false", lambda value: value is False, (ArgumentKind.ANY,)),
    Function("even", lambda number: number % 2 == 0, (ArgumentKind.WHOLE,)),
    Function("odd", lambda number: number % 2 == 1, (ArgumentKind.WHOLE,)),
    Function("number", lambda value: type(value) in {int, Fraction}, (ArgumentKind.ANY,)),
    Function("string", lambda value: isinstance(value, str), (ArgumentKind.ANY,)),
)
TESTS = {function.name: function for function in _TESTS}
"""Words that can follow ``is``."""
