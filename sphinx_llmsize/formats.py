"""Formatting of numbers for display, with the separators of the current language.

Examples show those of English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from sphinx_llmsize.traced import nearest, six_digits, traceable
from sphinx_llmsize.translation import NARROW_SPACE, _, localize, pgettext

AnyNumber = int | float | Fraction
"""A number to format."""
_COMMA_IN_NUMBER = re.compile(r"(?<=\d),(?=\d)")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
HALF_STEP = Fraction(1, 2000)
"""Half of 0.1%, the step between displayed percentages; less would round to 0.0%."""
SUFFIXES = ((4, "T"), (3, "B"), (2, "M"), (1, "K"))
"""Powers of 1000 and their letters."""
FIVE_DIGITS = 10_000
"""The smallest number with five digits."""
FLOPS_PREFIXES = dict(enumerate("kMGTPE", start=1))
"""SI prefixes by power of 1000."""


@traceable
def thousands(number: int) -> str:
    """``6738415616`` → ``6,738,415,616``."""
    return localize(f"{number:,}")


@traceable
def short(number: AnyNumber) -> str:
    """``6738415616`` → ``6.74B``: three significant digits, with a suffix for a power of 1000."""
    for power, suffix in SUFFIXES:
        # 999.5 or more of a smaller unit would round to 1000: use this unit
        if abs(number) >= 999.5 * 1000 ** (power - 1):
            scaled = Fraction(number) / 1000**power
            return f"{fixed(scaled, _places(scaled))}{suffix}"
    return str(number) if isinstance(number, int) else significant(number)


@traceable
def short_or_exact(number: int) -> str:
    """``41943040`` → ``41.9M``, ``4096`` → ``4,096``: short from 10,000."""
    return short(number) if abs(number) >= FIVE_DIGITS else thousands(number)


@traceable
def round_short(number: float) -> str:
    """``500000000`` → ``500M``, ``0.25`` → ``0.25``: without trailing zeros, for round numbers."""
    for power, suffix in SUFFIXES:
        if number >= 1000**power:
            return localize(f"{number / 1000**power:g}{suffix}")
    return localize(f"{number:g}")


def superscript(number: int) -> str:
    """``12`` → ``¹²``."""
    return str(number).translate(_SUPERSCRIPTS)


@traceable
def flops_text(number: int | Fraction) -> str:
    """``24.0 GFLOPs``: in the largest unit that gives a number of at least 1, rounded."""
    # 999.5 or more of a smaller unit would round to 1000: use the next one
    fitting = (power for power in FLOPS_PREFIXES if 2 * number >= 1999 * 1000 ** (power - 1))
    power = max(fitting, default=0)
    if not power:
        return f"{significant(number)} FLOPs"
    return f"{three_digits(Fraction(number) / 1000**power)} {FLOPS_PREFIXES[power]}FLOPs"


@traceable
def in_words(number: AnyNumber) -> str:
    """``6738415616`` → ``6.7 billion``, in Chinese ``67亿``: one decimal place below 10."""
    powers = _power_words()
    for power, smaller in pairwise((*powers, 0)):
        # 999.5 or more of the smaller unit would round to 1000 of it: use this unit
        most_of_smaller = 10 ** (power - smaller) - 0.5
        if abs(number) >= most_of_smaller * 10**smaller:
            scaled = Fraction(number) / 10**power
            places = 1 if abs(scaled) < Fraction("9.95") else 0
            return powers[power].replace("{number}", fixed(scaled, places))
    return str(number) if isinstance(number, int) else significant(number)


def _power_words() -> dict[int, str]:
    """Powers of ten that have a word in the current language, with that word."""
    words = {
        12: _("{number} trillion"),
        9: _("{number} billion"),
        8: _("{number} hundred million"),
        6: _("{number} million"),
        4: _("{number} ten thousand"),
        3: _("{number} thousand"),
    }
    powers = pgettext("the powers of ten with a word of their own", "12 9 6 3").split()
    return {power: text for power, text in words.items() if str(power) in powers}


@traceable
def significant(number: AnyNumber) -> str:
    """``8.79``, ``70.6``, ``1,240``: three significant digits, or the whole integer part.

    Zeros at the end of decimal places are left out. Numbers from 0.1 to 1 have two decimal places,
    like those from 1 to 10 beside them: ``0.49``. A number that would round to 0 is ``<0.000001``.
    """
    if 0 < abs(Fraction(number)) < Fraction(1, 10**6):
        return f"{'' if number > 0 else '-'}<{localize('0.000001')}"
    return trimmed(number, _places(number))


@traceable
def three_digits(number: AnyNumber) -> str:
    """``2.10``, ``60.0``: like :func:`significant`, but with zeros at the end."""
    text = significant(number)
    if text == "0" or "<" in text:
        return text
    return localize(_english(number, _places(number), ","))


@traceable
def aligned(numbers: Sequence[AnyNumber]) -> list[str]:
    """Numbers with equally many decimal places: ``26.95``, ``3.37``, ``<0.01`` instead of 0.00.

    There are as many as the smallest number above 0 needs for three significant digits, but at most

    - one if the largest number is 1,000 or more,
    - three if all numbers are below 10 and one is below 0.1,
    - two otherwise.
    """
    largest = max(numbers, default=0)
    if largest >= 1000:  # noqa: PLR2004
        most = 1
    elif largest < 10 and any(0 < number < Fraction(1, 10) for number in numbers):  # noqa: PLR2004
        most = 3
    else:
        most = 2
    places = min(most, max((_places(number) for number in numbers if number), default=0))
    return [_align(number, places) for number in numbers]


def _align(number: AnyNumber, places: int) -> str:
    """A number with this many decimal places; ``<0.01`` if it would round to 0 with two places."""
    step = Fraction(1, 10**places)
    if 0 < number < step / 2:
        return f"<{fixed(step, places)}"
    return localize(_english(number, places, ","))


@traceable
def trimmed(number: AnyNumber, places: int) -> str:
    """``1234.50`` → ``1,234.5``: at most ``places`` decimal places, without trailing zeros."""
    text = _english(number, places, ",")
    return localize(text.rstrip("0").rstrip(".") if places else text)


@traceable
def fixed(number: AnyNumber, places: int) -> str:
    """``1.9`` → ``1.90``: with exactly this number of decimal places."""
    return localize(_english(number, places))


def _places(number: AnyNumber) -> int:
    """Decimal places for three significant digits, but at most 2 for numbers of 0.1 or more."""
    size = abs(Fraction(number))
    if 0 < size < Fraction(1, 10):
        places = 3  # and one for each zero after the decimal point
        while size < Fraction(1, 10):
            size *= 10
            places += 1
        return places
    if size >= Fraction("99.95"):
        return 0
    return 1 if size >= Fraction("9.995") else 2


def _english(number: AnyNumber, places: int, grouping: str = "") -> str:
    """``1234.567`` with 2 places → ``1234.57``; computed exactly, with halves rounded up."""
    scaled = nearest(Fraction(number) * 10**places)
    whole, decimals = divmod(abs(scaled), 10**places)
    digits = f"{whole:{grouping}}"
    if places:
        digits += f".{decimals:0{places}}"
    return f"-{digits}" if scaled < 0 else digits


@traceable
def percent(fraction: float | Fraction) -> str:
    """``0.9561`` → ``95.6%``; ``<0.1%`` and ``>99.9%`` instead of 0.0% and 100.0%."""
    if 0 < fraction < HALF_STEP:
        return f"<{localize('0.1')}%"
    if 1 - HALF_STEP <= fraction < 1:
        return f">{localize('99.9')}%"
    return f"{fixed(Fraction(fraction) * 100, 1)}%"


@traceable
def decimal(fraction: Fraction) -> str:
    """``193/16`` → ``12.0625``: six significant digits, from 1,000,000 as ``1.5e+06``."""
    return localize(f"{float(six_digits(fraction)):.6g}")


def two_places(fraction: Fraction) -> str:
    """``193/16`` → ``12.06``, ``21/2`` → ``10.5``: at most two decimal places."""
    return trimmed(fraction, 2)


def factor_text(factor: Fraction | int) -> str:
    """``2``, ``1.5``, ``1/2``, ``4/3``: decimal if that is exact, except for 1/n."""
    is_decimal = factor.numerator > 1 and has_exact_decimal(Fraction(factor))
    return decimal(Fraction(factor)) if is_decimal else str(factor)


def has_exact_decimal(fraction: Fraction) -> bool:
    """True if six significant digits show the number exactly."""
    return bool(six_digits(fraction) == fraction)


def in_tex(text: str) -> str:
    r"""TeX without a space after a comma in a number, ``6{,}738``; narrow spaces are ``\,``."""
    return _COMMA_IN_NUMBER.sub("{,}", text).replace(NARROW_SPACE, r"\,")
