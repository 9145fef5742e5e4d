"""The filters: ways to write a number, and the few of Jinja's that pages need."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from sphinx_llmsize import formats
from sphinx_llmsize.escaping import escape_mermaid
from sphinx_llmsize.sandbox.bounds import Budget, fitting, wrong
from sphinx_llmsize.sandbox.values import (
    Value,
    kind,
    list_of,
    number_of,
    plain,
    text_of,
    whole_of,
)
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared import typeset
from sphinx_llmsize.views.shared.data_size import UNITS, size_in

MAX_PLACES = 30
"""More decimal places than any number here needs."""
_TEX = {
    **{character: f"\\{character}" for character in "%$#&_{}"},
    "\\": r"\backslash{}",
    "~": r"\sim{}",
    "^": r"\hat{}",
    "×": r"\times{}",
    ",": "{,}",
}
_TEX_SPECIAL = re.compile("|".join(map(re.escape, _TEX)))


def _exact(value: Value) -> str:
    return formats.thousands(whole_of(value, "exact"))


def _written(write: Callable[[Any], str], value: Value) -> str:
    """A number as one of the formats writes it, which want whole numbers whole."""
    number = number_of(value, _("a number's format"))
    return write(number if isinstance(number, int) else float(number))


def _significant(value: Value) -> str:
    return formats.significant(Fraction(number_of(value, "significant")))


def _bytes(unit: str, value: Value) -> str:
    return size_in(Fraction(number_of(value, unit)), unit)


def _tex(value: Value) -> str:
    """A number with TeX's thousands separators; a text so that TeX shows it as it is."""
    if isinstance(value, int) and not isinstance(value, bool):
        return typeset.number(value)
    return _TEX_SPECIAL.sub(lambda found: _TEX[found[0]], plain(value))


def _round(value: Value, places: Value = 0) -> Value:
    decimal_places = whole_of(places, "round")
    if not 0 <= decimal_places <= MAX_PLACES:
        raise wrong(_("round knows 0 to {number} decimal places", number=MAX_PLACES))
    return fitting(round(Fraction(number_of(value, "round")), decimal_places))


def _abs(value: Value) -> Value:
    number = number_of(value, "abs")
    return -number if number < 0 else number


def _int(value: Value) -> int:
    return int(number_of(value, "int"))


def _length(value: Value) -> int:
    return len(value) if isinstance(value, str) else len(list_of(value))


def _end(index: int, value: Value) -> Value:
    items = list_of(value)
    if not items:
        raise wrong(_("the list is empty"))
    item: Value = items[index]
    return item


FORMATS: Mapping[str, Callable[..., Value]] = {
    "exact": _exact,
    "short": partial(_written, formats.short),
    "words": partial(_written, formats.in_words),
    "percent": partial(_written, formats.percent),
    "significant": _significant,
    **{unit: partial(_bytes, unit) for unit in UNITS},
    "tex": _tex,
    "mermaid": lambda value: escape_mermaid(plain(value)),
    "upper": lambda value: text_of(value, "upper").upper(),
    "lower": lambda value: text_of(value, "lower").lower(),
    "abs": _abs,
    "int": _int,
    "round": _round,
    "length": _length,
    "first": partial(_end, 0),
    "last": partial(_end, -1),
}
"""Filters of one value; what they do takes no longer than the text that they make."""
MOST_ARGUMENTS = {"round": 2}
"""How many values a filter takes, if more than the one before it."""
OF_LISTS = ("join", "max", "min", "sum")
NAMES = (*FORMATS, *OF_LISTS)


def of_list(name: str, value: Value, arguments: tuple[Value, ...], budget: Budget) -> Value:
    """The value of a filter that goes through a whole list.

    Raises:
        ConfigError: it is no list, or one of other things than the filter is for.
    """
    items = list_of(value)
    budget.step(len(items))
    if name == "join":
        between = plain(arguments[0]) if arguments else ""
        texts = [plain(item) for item in items]
        budget.made(sum(map(len, texts)) + len(between) * len(texts))
        return between.join(texts)
    if arguments:
        raise wrong(_("the filter {name} takes nothing in brackets", name=name))
    numbers = [number_of(item, name) for item in items]
    if name == "sum":
        total: int | Fraction = 0
        for number in numbers:
            total = fitting(total + number)
        return total
    if not numbers:
        raise wrong(_("there is no {name} of an empty list", name=name))
    return max(numbers) if name == "max" else min(numbers)


TESTS: Mapping[str, Callable[[Value], bool]] = {
    "none": lambda value: value is None,
    "true": lambda value: value is True,
    "false": lambda value: value is False,
    "even": lambda value: whole_of(value, "even") % 2 == 0,
    "odd": lambda value: whole_of(value, "odd") % 2 == 1,
    "number": lambda value: kind(value) == "a number",
    "string": lambda value: isinstance(value, str),
}
"""What can stand behind ``is``."""
