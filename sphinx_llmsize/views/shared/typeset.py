"""TeX of numbers and words, and its approximate width."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from sphinx_llmsize.blocks import Tex
from sphinx_llmsize.formats import in_tex, thousands
from sphinx_llmsize.marks import MARK, without_marks
from sphinx_llmsize.monospace import monospace_width

FRACTION_STRUT = r"\vphantom{\tfrac{1}{1}}"
"""TeX without width that is as high and deep as a fraction."""
_WIDTHS_PER_LETTER = (
    (re.compile(r"[_^]\{(?:\\(?:mathrm|text)\{)?([^{}\\]*)\}"), 0.75),
    (re.compile(r"\\text\{([^{}]*)\}"), 0.9),
)
"""Patterns of subscripts and superscripts, and of words, with the width of one letter.

Widths here and below are those in MathJax, in units of a digit.
"""
_WIDTHS = (
    (re.compile(r"(\\times|\\cdot|\\approx|[+=]|- )"), 2.45),
    (re.compile(r"(\\,)"), 0.33),
    (re.compile(r"(\{,\}|,)"), 0.55),
    (re.compile(r"(\\[a-zA-Z]+|\\.|[{}\s&])"), 0.0),
    (re.compile(r"([()])"), 0.9),
    (re.compile(r"([A-Z])"), 1.6),
    (re.compile(r"(.)"), 1.0),
)
"""Patterns of other TeX, in matching order, and the width of each match."""
COMMA = Fraction(55, 100)
"""Width of a separator in a number, the same as that of a comma above."""
_RELATION = re.compile(r"(?=(?:=|\\approx) )")
"""Position before a sign between the sides of an equation."""
_SPECIAL = re.compile(r"[\\{}$&#%^_~]")
"""Characters with a special meaning in TeX."""


def width(tex: str) -> float:
    """Approximate width in digits."""
    total, tex = 0.0, without_marks(tex).replace(FRACTION_STRUT, "")
    for pattern, width_of_letter in _WIDTHS_PER_LETTER:
        total += width_of_letter * sum(map(monospace_width, pattern.findall(tex)))
        tex = pattern.sub("", tex)
    for pattern, width_of_match in _WIDTHS:
        tex, matches = pattern.subn("", tex)
        total += width_of_match * matches
    return total


def traced_width(tex: str, numbers: Iterable[Any]) -> Any:
    """Approximate width in digits of TeX with traced numbers, as a traced number.

    Args:
        tex: the TeX.
        numbers: the traced numbers in it.
    """
    # marked texts are left out here: the width of each number is added below
    total: Any = Fraction(width(MARK.sub("", tex)))
    for number in numbers:
        digits = number.digits()
        separators = (digits - 1) // 3
        total += digits + separators * COMMA
    return total


def sides(equation: Tex) -> tuple[str, Tex]:
    """The left side of an equation, and the rest from its first relation sign on."""
    first, *others = equation
    left, right = _RELATION.split(first, maxsplit=1)
    return left.strip(), (right, *others)


def underbraced(terms: Iterable[tuple[str, str]]) -> list[str]:
    """Each term in TeX, with a brace below it, and below that a label, also in TeX.

    The braces are on one line, also if some terms have fractions, which are deeper than others.
    """
    terms = list(terms)
    are_deep = [r"\tfrac" in body for body, _label in terms]
    struts = ("" if is_deep or not any(are_deep) else FRACTION_STRUT for is_deep in are_deep)
    return [
        rf"\underbrace{{{body}{strut}}}_{{{label}}}"
        for (body, label), strut in zip(terms, struts, strict=True)
    ]


def words(text: str) -> str:
    """Text within TeX, without characters that have a special meaning there."""
    return rf"\text{{{_SPECIAL.sub('', text)}}}"


def indexed(symbol: str, index: str) -> str:
    """A symbol with text as its index: ``N_active``."""
    return f"{symbol}_{{{words(index)}}}"


def number(value: int) -> str:
    """TeX of a whole number, with separators: ``6{,}738``."""
    return number_tex(thousands(value))


def number_tex(digits: str) -> str:
    """``6{,}738`` for ``6,738``; the braces prevent TeX from adding a space after the comma."""
    return in_tex(digits).replace("−", "-")
