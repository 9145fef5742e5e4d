"""Formats of numbers by their names, and the reader of a format that an author writes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

from sphinx_llmsize.errors import ConfigError, Problem, suggestion, unknown_word
from sphinx_llmsize.formats import (
    flops_text,
    in_words,
    percent,
    short,
    significant,
    thousands,
    two_places,
)
from sphinx_llmsize.traced import nearest
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.units import Measure

Formats = Mapping[str, Callable[[Fraction], str]]
"""Functions that write a number, by the name of the format."""


def exact_text(number: Fraction) -> str:
    """The number with all digits, rounded to a whole one: ``6,738,415,616``."""
    return thousands(nearest(number))


def _fraction_or_whole(number: Fraction) -> str:
    """``193/16``, ``6,738,415,616``."""
    return thousands(int(number)) if number.denominator == 1 else str(number)


COUNT_FORMATS: Formats = {
    "exact": _fraction_or_whole,
    "short": short,
    "words": in_words,
}
"""Formats of counts, and of differences between counts, which may be fractions."""
PARAMETER_FORMATS = (*COUNT_FORMATS, "share")
"""Names of the formats of a number of parameters; a share is of the total."""
FRACTION_FORMATS: Formats = {
    "short": two_places,
    "exact": _fraction_or_whole,
    "fraction": str,
    "percent": percent,
}
"""Formats of numbers that need not be whole."""
FLOPS_FORMATS: Formats = {"short": flops_text, "exact": exact_text}
ELEMENT_FORMATS: Formats = {"short": lambda number: short(nearest(number)), "exact": exact_text}
RATIO_FORMATS: Formats = {
    "times": lambda ratio: f"{significant(ratio)}×",
    "plain": significant,
    "percent": percent,
}
"""Formats of a ratio, by the last word of its second number; the first is the default."""
RATIO_FORMAT_WORDS = {
    **dict.fromkeys(("%", "pct", "percentage"), "percent"),
    **dict.fromkeys(("x", "×", "factor", "fold"), "times"),
    **dict.fromkeys(("number", "raw"), "plain"),
}
"""Names of formats of ratios, by other words that authors use for them."""
FORMAT_WORDS = {
    **dict.fromkeys(("%", "percent", "percentage", "fraction", "ratio"), "share"),
    **dict.fromkeys(("full", "long", "raw", "integer", "digits"), "exact"),
    **dict.fromkeys(("billion", "billions", "million", "text"), "words"),
    **dict.fromkeys(("b", "m", "rounded", "round"), "short"),
}
"""Names of formats, by other words that authors use for them."""
KNOWN_FORMATS = frozenset(FORMAT_WORDS.values())
"""Names of formats that some numbers have."""


def read_format(words: list[str], default: str, formats: Collection[str]) -> str:
    """The format in the words after the name of a number, or the default if there is none.

    Raises:
        ConfigError: the format is unknown, or there are several.
    """
    for position, word in enumerate(words):
        if word not in formats:
            message = N_("unknown format {name}")
            if word in KNOWN_FORMATS:
                message = N_("this number has no format {name}")
            error = unknown_word(message, word, formats, Problem.NUMBER)
            meant = FORMAT_WORDS.get(word.casefold(), "")
            raise error.replace(hint=suggestion(meant)) if meant in formats else error
        if position:
            message = _("more than one format: {format}", format=repr(word[:60]))
            hint = _("one of {names}", names=", ".join(formats))
            raise ConfigError(message, Problem.NUMBER, hint)
    return words[0] if words else default


def layers_measure(number: int | Fraction, words: list[str]) -> Measure:
    """A number of layers, in the format that the words name, if they name one.

    Raises:
        ConfigError: the format is unknown; a number of layers has no unit.
    """
    format_number = COUNT_FORMATS[read_format(words, "exact", COUNT_FORMATS)]
    return Measure(Fraction(number), format_number(Fraction(number)))
