"""Sizes in models' names: ``7B``, ``30B-A3B``, ``8x7B``, ``E2B``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from fractions import Fraction

_SIZE = re.compile(r"(?:(?P<times>\d+)x)?(?P<letter>[AE]?)(?P<digits>[\d.]+)(?P<unit>[MBT])")
"""One size, such as ``8x7B``: a factor, the letter of a kind, digits and a unit."""
_UNITS = {"M": 10**6, "B": 10**9, "T": 10**12}


class SizeKind(Enum):
    """Parameters that a number in a name counts."""

    ALL = ""
    """Nothing is said: usually all parameters."""
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
        kind: what it counts.
        number: the number.
        step: value of a one in its last digit: 1 billion for ``7B``.
    """

    text: str
    kind: SizeKind
    number: int
    step: int

    def match(self, count: int) -> Match:
        """The way in which this number follows from a count."""
        return self.exactness(count)[0]

    def exactness(self, count: int) -> tuple[Match, int]:
        """The way in which this number follows from a count, and a step: smaller is more exact.

        Last digits of 0 may be the result of rounding, too, which changes the count by at most a
        tenth: 68,976,648,192 rounds to 70B. Rounding one of them is usual, so it is as exact as
        rounding none.
        """
        usual = 10 * self.step
        for step in self._steps():
            is_near = step == self.step or 10 * abs(count - self.number) <= self.number
            if is_near and round(Fraction(count, step)) * step == self.number:
                return Match.ROUNDED, max(step, usual)
        is_cut_off = count // self.step * self.step == self.number
        return Match.CUT_OFF if is_cut_off else Match.NONE, usual

    def _steps(self) -> Iterator[int]:
        """Values of a one in the last digit, and in each before it while the last ones are 0."""
        step = self.step
        yield step
        while self.number >= 10 * step and not self.number % (10 * step):
            step *= 10
            yield step


def advertised_numbers(size: str) -> tuple[AdvertisedNumber, ...]:
    """The numbers in a size, in order: ``30B-A3B`` has two."""
    return tuple(_number(found) for found in _SIZE.finditer(size))


def _number(found: re.Match[str]) -> AdvertisedNumber:
    kind = SizeKind.EXPERT if found["times"] else SizeKind(found["letter"])
    unit = _UNITS[found["unit"]]
    number = int(Fraction(found["digits"]) * unit)
    step = unit // 10 ** len(found["digits"].partition(".")[2])
    return AdvertisedNumber(found[0], kind, number, step)
