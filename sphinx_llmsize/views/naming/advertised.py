"""Sizes in models' names: ``7B``, ``30B-A3B``, ``8x7B``, ``E2B``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from fractions import Fraction

_SIZE = re.compile(r"(?:(?P<times>\d+)x)?(?P<letter>[AE]?)(?P<digits>[\d.]+)(?P<unit>[MBT])")
"""One size, such as ``8x7B``: a factor, the letter of a kind, digits and a unit."""
_SIZE_IN_NAME = re.compile(
    r"(?<![\w.])(?:(?P<times>\d+)x)?(?P<letter>[AE]?)(?P<digits>\d+(?:\.\d+)?)(?P<unit>[MB])(?!\w)",
    re.IGNORECASE,
)
"""One size in the name of a model: ``7B`` in ``Qwen2.5 7B``, ``a13b`` in ``hunyuan-a13b``.

Numbers with a T are those of training tokens: ``flexolmo-7x7b-1t``.
"""
_UNITS = {"M": 10**6, "B": 10**9, "T": 10**12}
MAX_CUT_OFF = Fraction(3, 20)
"""Largest part that is often cut off, relative to the number: 7.6 billion is called 7B."""


class CountedParameters(Enum):
    """Parameters that a number in a name counts; the value is the letter in such names."""

    ALL = ""
    """Usually all parameters: the number has no letter."""
    ACTIVE = "A"
    EFFECTIVE = "E"
    EXPERT = "x"
    """A model with one of its experts: the 7B of 8x7B."""


class Match(IntEnum):
    """Ways in which a number in a name follows from a count, the most exact one first."""

    ROUNDED = 0
    CUT_OFF = 1
    NONE = 2


@dataclass(frozen=True)
class AdvertisedNumber:
    """A number in a model's name.

    Attributes:
        text: as written: ``7B``, ``A3B``, ``8x7B``.
        kind: parameters that it counts.
        number: the number.
        step: value of a one in its last digit: 1 billion for ``7B``.
    """

    text: str
    kind: CountedParameters
    number: int
    step: int

    def match(self, count: int) -> Match:
        """The way in which this number follows from a count."""
        return self.exactness(count)[0]

    def exactness(self, count: int) -> tuple[Match, int]:
        """How exactly this number follows from a count, as a sort key: smaller is more exact.

        The key is the match, then the step to which the count was rounded or, if digits were cut
        off, the difference from the number.

        A number with zeros at the end, such as 70B, may be rounded to its last digit or to an
        earlier one: 68,976,648,192 is called 70B. Coarser rounding is assumed only of a count near
        the number. Rounding to either of the last two digits is equally exact. If a count has all
        digits of the number but rounds up, as 20,914,757,184 does for 20B, its digits were cut off.
        """
        has_all_digits = count // self.step * self.step == self.number
        for step in self._steps():
            is_accurate = step == self.step or (self.is_near(count) and not has_all_digits)
            if is_accurate and round(Fraction(count, step)) * step == self.number:
                return Match.ROUNDED, max(step, 10 * self.step)
        if has_all_digits:
            return Match.CUT_OFF, count - self.number
        return Match.NONE, 0

    def is_near(self, count: int) -> bool:
        """True for a count within a tenth of the number."""
        return 10 * self.distance(count) <= self.number

    def is_far(self, count: int) -> bool:
        """True if more of the count was cut off or rounded than is usual."""
        return self.distance(count) > MAX_CUT_OFF * self.number

    def distance(self, count: int) -> int:
        """Difference between a count and the number."""
        return abs(count - self.number)

    def is_likely(self, count: int) -> bool:
        """True for a near count, and for one whose digits were cut off if they are few.

        Many models of 7.6 or 7.7 billion parameters are called 7B.
        """
        is_cut_off = self.match(count) is Match.CUT_OFF
        return self.is_near(count) or (is_cut_off and not self.is_far(count))

    def _steps(self) -> Iterator[int]:
        """Steps to which the number may be rounded: for ``70B``, 1 billion and 10 billion."""
        step = self.step
        yield step
        while self.number >= 10 * step and not self.number % (10 * step):
            step *= 10
            yield step


def advertised_numbers(size: str) -> tuple[AdvertisedNumber, ...]:
    """The numbers in a size, in order: ``30B-A3B`` has two."""
    return tuple(_number(match) for match in _SIZE.finditer(size))


def numbers_in_names(*names: str) -> tuple[AdvertisedNumber, ...]:
    """The sizes in the names of a model, each once, as they are usually written: ``A13B``."""
    matches = (match for name in names for match in _SIZE_IN_NAME.finditer(name))
    return tuple(dict.fromkeys(map(_number, matches)))


def _number(match: re.Match[str]) -> AdvertisedNumber:
    """The number of one match of :data:`_SIZE` or :data:`_SIZE_IN_NAME`."""
    letter, unit_letter = match["letter"].upper(), match["unit"].upper()
    times = f"{match['times']}x" if match["times"] else ""
    kind = CountedParameters.EXPERT if times else CountedParameters(letter)
    unit = _UNITS[unit_letter]
    number = int(Fraction(match["digits"]) * unit)
    decimals = match["digits"].partition(".")[2]
    step = unit // 10 ** len(decimals)
    text = f"{times}{letter}{match['digits']}{unit_letter}"
    return AdvertisedNumber(text, kind, number, step)
