"""Numbers as people read them."""

from __future__ import annotations

from fractions import Fraction
from unicodedata import east_asian_width

from sphinx_llmsize.translation import _, pgettext

HALF_OF_SHOWN = 0.0005
"""Half of the last digit of a percentage."""
SUFFIXES = ((4, "T"), (3, "B"), (2, "M"), (1, "K"))
"""Powers of 1000, and what they are called."""


def thousands(number: int) -> str:
    """``6738415616`` → ``6,738,415,616``."""
    return f"{number:,}"


def short(number: int) -> str:
    """``6738415616`` → ``6.74B``: three digits, powers of 1000."""
    for power, suffix in SUFFIXES:
        # what would round up to 1000 of one unit is 1 of the next
        if number >= 999.5 * 1000 ** (power - 1):
            scaled = number / 1000**power
            # three digits: the more of them stand before the point, the fewer behind it
            behind = 2 - (scaled >= 9.995) - (scaled >= 99.95)  # noqa: PLR2004
            return f"{_divided(number, 1000**power, behind)}{suffix}"
    return str(number)


def round_short(number: float) -> str:
    """``500000000`` → ``500M``, ``0.25`` → ``0.25``: as many digits as a round number needs."""
    for power, suffix in SUFFIXES:
        if number >= 1000**power:
            return f"{number / 1000**power:g}{suffix}"
    return f"{number:g}"


def in_words(number: int) -> str:
    """``6738415616`` → ``6.7 billion``: two digits, as one says it; in Chinese ``67亿``."""
    said = _said_powers()
    for power, below in zip(said, (*list(said)[1:], 0), strict=True):
        # what would round up to the next unit is 1 of that
        if number >= (10 ** (power - below) - 0.5) * 10**below:
            behind = int(number / 10**power < 9.95)  # noqa: PLR2004 - two digits
            text = _divided(number, 10**power, behind)
            return said[power].replace("{number}", text)
    return str(number)


def _divided(number: int, unit: int, behind: int) -> str:
    """Digits before the point are exact, however many."""
    return f"{number / unit:.{behind}f}" if behind else str(round(Fraction(number, unit)))


def _said_powers() -> dict[int, str]:
    """The powers of ten that the language counts in, and how one says them."""
    known = {
        12: _("{number} trillion"),
        9: _("{number} billion"),
        8: _("{number} hundred million"),
        6: _("{number} million"),
        4: _("{number} ten thousand"),
        3: _("{number} thousand"),
    }
    counted_in = pgettext("the powers of ten with a word of their own", "12 9 6 3").split()
    return {power: words for power, words in known.items() if str(power) in counted_in}


def significant(number: Fraction) -> str:
    """Three digits, behind the point no more than are needed: ``8.79``, ``70.6``, ``1,240``."""
    value = float(number)
    behind = 2 - (abs(value) >= 9.995) - (abs(value) >= 99.95)  # noqa: PLR2004
    text = f"{value:,.{behind}f}"
    return text.rstrip("0").rstrip(".") if behind else text


def percent(fraction: float) -> str:
    """``0.9561`` → ``95.6%``; what rounds to nothing or to everything says that it is not."""
    if 0 < fraction < HALF_OF_SHOWN:
        return "<0.1%"
    if 1 - HALF_OF_SHOWN <= fraction < 1:
        return ">99.9%"
    return f"{fraction:.1%}"


def columns(text: str) -> int:
    """How many columns of fixed width a text takes: two for each character of Chinese."""
    return sum(1 + (east_asian_width(character) in {"W", "F"}) for character in text)


def decimal(fraction: Fraction) -> str:
    """``193/16`` → ``12.0625``: six significant digits."""
    return f"{float(fraction):.6g}"


def has_exact_decimal(fraction: Fraction) -> bool:
    """Whether :func:`decimal` leaves nothing out."""
    return Fraction(decimal(fraction)) == fraction
