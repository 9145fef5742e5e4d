"""Separators in numbers: those of the project's language, or of ``llmsize_number_format``."""

from __future__ import annotations

import re

from babel import Locale, UnknownLocaleError
from babel.numbers import get_decimal_symbol, get_group_symbol
from sphinx.config import Config

from sphinx_llmsize.translation import NARROW_SPACE, Separators

EXAMPLES = ("1,234.5", "1.234,5", "1 234.5", "1 234,5", "1\u2019234.5", "1234.5")
"""Usual values of ``llmsize_number_format``: 1234.5, written as all numbers shall be."""
_EXAMPLE = re.compile(r"1(?P<group>[,. '\u2019\u00a0\u2009\u202f]?)234(?P<decimal>[.,])5")
"""The example with its separators: of groups, possibly none, and of decimals."""
_TYPOGRAPHIC = {**dict.fromkeys(map(ord, " \u00a0\u2009"), NARROW_SPACE), ord("'"): "\u2019"}
"""Group separators: spaces become narrow ones, at which no line breaks, and ' becomes ’."""


PAIR = 2
"""Number of digits in the higher groups of some languages."""


def separators_of(example: object) -> Separators | None:
    """The separators in an example such as ``1 234.5``; None if it isn't 1234.5."""
    match = _EXAMPLE.fullmatch(example) if isinstance(example, str) else None
    if match is None or match["group"] == match["decimal"]:
        return None
    return Separators(match["group"].translate(_TYPOGRAPHIC), match["decimal"])


def project_separators(config: Config) -> Separators:
    """The separators of the setting if it is usable, else those of the project's language."""
    return separators_of(config.llmsize_number_format) or _of_language(config.language)


def _of_language(language: str) -> Separators:
    """The separators that Unicode's CLDR gives for a language; English ones if it is unknown."""
    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        return Separators()
    group = get_group_symbol(locale).translate(_TYPOGRAPHIC)
    _lowest, higher = locale.decimal_formats[None].grouping
    return Separators(group, get_decimal_symbol(locale), has_pairs=higher == PAIR)
