"""Sizes in models' names: ``7B``, ``30B-A3B``, ``8x7B``, ``E2B``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

_SIZE = re.compile(r"(?:(?P<times>\d+)x)?(?P<letter>[AE]?)(?P<digits>[\d.]+)(?P<unit>[MBT])")
"""One size, such as ``8x7B``: a factor, the letter of a kind, digits and a unit."""
_UNITS = {"M": 10**6, "B": 10**9, "T": 10**12}


class Kind(Enum):
    """Parameters that a number in a name counts."""

    ALL = ""
    """Nothing is said: usually all parameters."""
    ACTIVE = "A"
    EFFECTIVE = "E"
    EXPERT = "x"
    """A model with one of its experts: the 7B of 8x7B."""


class Match(Enum):
    """Ways in which a number in a name follows from a count, the most exact one first."""

    ROUNDED = "rounded"
    CUT_OFF = "cut off"
    NONE = "none"


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
    kind: Kind
    number: int
    step: int

    def match(self, count: int) -> Match:
        """The way in which this number follows from a count.

        A last digit of 0 may be the result of rounding, too: 68,976,648,192 rounds to 70B.
        """
        steps = (self.step, 10 * self.step) if self._ends_with_zero else (self.step,)
        if any(round(Fraction(count, step)) * step == self.number for step in steps):
            return Match.ROUNDED
        if count // self.step * self.step == self.number:
            return Match.CUT_OFF
        return Match.NONE

    @property
    def _ends_with_zero(self) -> bool:
        """True for ``70B`` and ``480B``, not for ``0.5B`` and ``1.0B``.

        Not for ``10B`` either, to which all counts from 5 to 15 billion would round.
        """
        steps = self.number // self.step
        return steps > 10 and not steps % 10  # noqa: PLR2004


def advertised_numbers(size: str) -> tuple[AdvertisedNumber, ...]:
    """The numbers in a size, in order: ``30B-A3B`` has two."""
    return tuple(_number(found) for found in _SIZE.finditer(size))


def _number(found: re.Match[str]) -> AdvertisedNumber:
    kind = Kind.EXPERT if found["times"] else Kind(found["letter"])
    unit = _UNITS[found["unit"]]
    number = int(Fraction(found["digits"]) * unit)
    step = unit // 10 ** len(found["digits"].partition(".")[2])
    return AdvertisedNumber(found[0], kind, number, step)
