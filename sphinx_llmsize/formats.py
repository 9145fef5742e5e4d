"""Numbers as people read them."""

from __future__ import annotations

from fractions import Fraction

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
            return f"{scaled:.{behind}f}{suffix}"
    return str(number)


def round_short(number: float) -> str:
    """``500000000`` → ``500M``, ``0.25`` → ``0.25``: as many digits as a round number needs."""
    for power, suffix in SUFFIXES:
        if number >= 1000**power:
            return f"{number / 1000**power:g}{suffix}"
    return f"{number:g}"


def in_words(number: int) -> str:
    """``6738415616`` → ``6.7 billion``: two digits, as one says it."""
    for power, name in ((4, "trillion"), (3, "billion"), (2, "million"), (1, "thousand")):
        if number >= 999.5 * 1000 ** (power - 1):
            scaled = number / 1000**power
            return f"{scaled:.{int(scaled < 9.95)}f} {name}"  # noqa: PLR2004 - two digits
    return str(number)


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


def decimal(fraction: Fraction) -> str:
    """``193/16`` → ``12.0625``: six significant digits."""
    return f"{float(fraction):.6g}"


def has_exact_decimal(fraction: Fraction) -> bool:
    """Whether :func:`decimal` leaves nothing out."""
    return Fraction(decimal(fraction)) == fraction
