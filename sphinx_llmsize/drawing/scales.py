"""Axes: round ticks, logarithmic scales, and labels that do not overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

STEP_FACTORS = (1, 2, 5, 10)
"""Allowed steps between ticks, as multiples of a power of 10."""
MOST_STEPS = 5
"""Maximum number of steps from tick to tick on a linear axis."""
MOST_LOG_STEPS = 6
"""Approximate maximum number of steps from tick to tick on a logarithmic axis."""
MOST_DOUBLINGS = 8
"""Axes that span more doublings than this have ticks at powers of 10 instead of 2."""


def linear_ticks(largest: float) -> tuple[int, ...]:
    """0, and at most :data:`MOST_STEPS` further round numbers up to ``largest``, all whole."""
    power = 10 ** max(math.floor(math.log10(max(largest, 1) / MOST_STEPS)), 0)
    steps = [factor * power for factor in STEP_FACTORS]
    step = next((step for step in steps if largest // step <= MOST_STEPS), steps[-1])
    return tuple(range(0, math.floor(largest) + 1, step))


def decades(smallest: int, largest: int) -> tuple[int, ...]:
    """Powers of 10 up to ``largest``; the first has one digit fewer than ``smallest``, or is 1."""
    first = max(len(str(smallest)) - 2, 0)
    return tuple(10**power for power in range(first, len(str(largest))))


@dataclass(frozen=True)
class LinearScale:
    """A linear axis; maps values 0 … ``high`` to positions ``start`` … ``end``."""

    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """The position of a value."""
        return self.start + value / self.high * (self.end - self.start)


@dataclass(frozen=True)
class LogScale:
    """A logarithmic axis; maps values ``low`` … ``high`` to positions ``start`` … ``end``."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """The position of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)


def log_ticks(values: Sequence[float]) -> tuple[float, ...]:
    """Evenly spaced powers of 2 or 10 that enclose positive values; they include 1 if in range."""
    low, high = min(values), max(values)
    base = 2 if math.log2(high / low) <= MOST_DOUBLINGS else 10
    # log() of an exact power may be slightly off a whole number
    first = math.floor(math.log(low, base) + 1e-9)
    last = math.ceil(math.log(high, base) - 1e-9)
    if first == last:
        first, last = first - 1, last + 1
    step = math.ceil((last - first) / MOST_LOG_STEPS)
    powers = range(first - first % step, last + step, step)
    return tuple(float(base) ** power for power in powers)


def spread(wanted: Sequence[float], sizes: Sequence[float], low: float, high: float) -> list[float]:
    """Centres of labels that do not overlap, as near as possible to the wanted ones.

    Args:
        wanted: centres, ascending.
        sizes: sizes of the labels.
        low: start of the available space.
        high: end of the available space, which must be sufficient.
    """
    groups: list[_LabelGroup] = []
    for centre, size in zip(wanted, sizes, strict=True):
        group = _LabelGroup([centre], [size])
        while groups and group.start(low, high) < groups[-1].start(low, high) + groups[-1].size:
            group = groups.pop().joined_with(group)
        groups.append(group)
    centres: list[float] = []
    for group in groups:
        edge = group.start(low, high)
        for size in group.sizes:
            centres.append(edge + size / 2)
            edge += size
    return centres


@dataclass(frozen=True)
class _LabelGroup:
    """Labels without space between them.

    Attributes:
        wanted: wanted centre of each label.
        sizes: size of each label.
    """

    wanted: list[float]
    sizes: list[float]

    @property
    def size(self) -> float:
        """Size of all labels together."""
        return sum(self.sizes)

    def start(self, low: float, high: float) -> float:
        """Start of the group in ``low`` … ``high``, with the labels near their wanted centres."""
        offset, starts = 0.0, []
        for centre, size in zip(self.wanted, self.sizes, strict=True):
            starts.append(centre - size / 2 - offset)
            offset += size
        return max(low, min(sum(starts) / len(starts), high - offset))

    def joined_with(self, following: _LabelGroup) -> _LabelGroup:
        """The labels of both groups as one group."""
        return _LabelGroup(self.wanted + following.wanted, self.sizes + following.sizes)


def fitting_labels(places: Sequence[float], widths: Sequence[float], gap: float) -> range:
    """Indices of the labels to show: every n-th, for the smallest n at which they do not touch."""
    indices = range(len(places))
    for step in range(1, len(places)):
        chosen = indices[::step]
        if all(
            places[right] - widths[right] / 2 >= places[left] + widths[left] / 2 + gap
            for left, right in pairwise(chosen)
        ):
            return chosen
    return indices[:1]
