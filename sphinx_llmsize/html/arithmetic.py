"""Products and sums of numbers as text, so that their digits look like those of other numbers."""

from __future__ import annotations

import re

from sphinx_llmsize.blocks import Line, Tex
from sphinx_llmsize.formats import superscript
from sphinx_llmsize.html.inline_elements import inlines
from sphinx_llmsize.html.markup import Markup, element, join
from sphinx_llmsize.html.mathml import divided, words
from sphinx_llmsize.inline import Exponent
from sphinx_llmsize.marks import without_marks
from sphinx_llmsize.typography import NO_BREAK

_ARITHMETIC = re.compile(r"(?:[\d()=.,’' +-]|\{,\}|\\,|\\times|\^\{\d+\})*")
"""TeX that needs no typesetting: numbers, signs, parentheses and exponents."""
AFTER_RELATION = "\N{THREE-PER-EM SPACE}"
"""Space after an equals sign, which is wider than those beside other signs."""
_EXPONENT = re.compile(r"\^\{(\d+)\}")
_SIGNS = {r"\times": "×", "-": "−"}
"""Signs in TeX, and their characters."""


def is_arithmetic(pieces: Tex) -> bool:
    """True if the TeX can be shown as text."""
    return all(_ARITHMETIC.fullmatch(without_marks(piece)) for piece in pieces)


def arithmetic(pieces: Tex) -> Markup:
    """``= 58 × (256 − 8) × 3 × 2,048``: elements between which lines break, as in math.

    Where one doesn't fit a line either, lines break before its signs.
    """
    parts = (part for piece in pieces for part in divided(piece))
    return join((element("span", *inlines(_line(part))) for part in parts), " ")


def _line(tex: str) -> Line:
    """A part as text with exponents, which look like those of symbols."""
    texts = _EXPONENT.split(_text(tex))
    return tuple(
        Exponent(superscript(int(text))) if position % 2 else text
        for position, text in enumerate(texts)
    )


def _text(tex: str) -> str:
    """A part as text, with its exponents as in TeX."""
    text = words(tex).replace("= - ", "= -")  # of a negative number
    for sign, character in _SIGNS.items():
        text = text.replace(sign, character)
    text = re.sub("= (?=.)", f"={AFTER_RELATION}", text.strip())
    return re.sub("(?<=[×+−]) ", NO_BREAK, text)
