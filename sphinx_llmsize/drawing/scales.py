"""Axes: round ticks, logarithmic scales, and labels that do not overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

ROUND = (1, 2, 5, 10)
"""Allowed first digits of the step between ticks."""


def linear_ticks(largest: float, most: int = 5) -> tuple[int, ...]:
    """Round numbers from 0 up to ``largest``, at most ``most`` after 0."""
    power = 10 ** max(math.floor(math.log10(max(largest, 1) / most)), 0)
    steps = [first * power for first in ROUND]
    step = next((step for step in steps if largest // step <= most), steps[-1])
    return tuple(range(0, math.floor(largest) + 1, step))


@dataclass(frozen=True)
class LogScale:
    """A logarithmic axis: values ``low`` to ``high`` at positions ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """The position of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)


MOST_DOUBLINGS = 8
"""Ticks of longer axes are powers of 10, not 2."""


def log_ticks(values: Sequence[float], most: int = 6) -> tuple[float, ...]:
    """Powers of 2 or 10 around the values; 1 is among them if within their range."""
    low, high = min(values), max(values)
    base = 2 if math.log2(high / low) <= MOST_DOUBLINGS else 10
    # tolerance for rounding errors of exact powers
    first = math.floor(math.log(low, base) + 1e-9)
    last = math.ceil(math.log(high, base) - 1e-9)
    if first == last:
        first, last = first - 1, last + 1
    step = math.ceil((last - first) / most)
    powers = range(first - first % step, last + step, step)
    return tuple(float(base) ** power for power in powers)


def spread(wanted: Sequence[float], sizes: Sequence[float], low: float, high: float) -> list[float]:
    """Centres of labels that do not overlap, as near as possible to the wanted ones.

    Args:
        wanted: centres, ascending.
        sizes: sizes of the labels.
        low: begin of the available space.
        high: end of the available space, which must be sufficient.
    """
    runs: list[list[int]] = []
    for index in range(len(wanted)):
        runs.append([index])
        # labels that touch move together
        while len(runs) > 1 and _start(runs[-1], wanted, sizes, low, high) < (
            _start(runs[-2], wanted, sizes, low, high) + sum(sizes[i] for i in runs[-2])
        ):
            last = runs.pop()
            runs[-1] += last
    centres: list[float] = []
    for run in runs:
        place = _start(run, wanted, sizes, low, high)
        for index in run:
            centres.append(place + sizes[index] / 2)
            place += sizes[index]
    return centres


def _start(
    run: Sequence[int], wanted: Sequence[float], sizes: Sequence[float], low: float, high: float
) -> float:
    """The begin of adjacent labels, as near as possible to the wanted centres."""
    offset, starts = 0.0, []
    for index in run:
        starts.append(wanted[index] - sizes[index] / 2 - offset)
        offset += sizes[index]
    return max(low, min(sum(starts) / len(starts), high - offset))


def fitting_labels(places: Sequence[float], widths: Sequence[float], gap: float) -> range:
    """Indices of the labels to show: all, every second, every third … so that none touch."""
    indices = range(len(places))
    for step in range(1, len(places)):
        chosen = indices[::step]
        if all(
            places[right] - widths[right] / 2 >= places[left] + widths[left] / 2 + gap
            for left, right in pairwise(chosen)
        ):
            return chosen
    return indices[:1]
