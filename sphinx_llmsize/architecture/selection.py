"""Sets of layers, counted and never listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Union

Where = Union[range, frozenset[int]]


@dataclass(frozen=True)
class Selection:
    """The layers that are in one set and in none of others."""

    within: Where
    without: tuple[Where, ...] = ()

    @property
    def count(self) -> int:
        """How many there are."""
        return _count(self.within, self.without)

    def both(self, other: Selection) -> Selection:
        """The layers that are in this selection and in the other."""
        return Selection(both(self.within, other.within), (*self.without, *other.without))


def both(one: Where, other: Where) -> Where:
    """The layers in both."""
    if isinstance(one, frozenset):
        return frozenset(layer for layer in one if layer in other)
    if isinstance(other, frozenset):
        return both(other, one)
    return _both_ranges(one, other)


def _count(layers: Where, without: Sequence[Where]) -> int:
    """How many layers are in none of the others: by inclusion and exclusion."""
    if not layers:
        return 0
    excluded = (
        _count(both(layers, where), without[position + 1 :])
        for position, where in enumerate(without)
    )
    return len(layers) - sum(excluded)


def _both_ranges(one: range, other: range) -> range:
    """The range of what two ranges have in common, by the Chinese remainder theorem."""
    divisor = gcd(one.step, other.step)
    start, stop = max(one.start, other.start), min(one.stop, other.stop)
    if (other.start - one.start) % divisor:
        return range(0)
    step = one.step // divisor * other.step
    inverse = pow(one.step // divisor, -1, other.step // divisor)
    meets = one.start + one.step * ((other.start - one.start) // divisor * inverse)
    return range(start + (meets - start) % step, max(start, stop), step)
