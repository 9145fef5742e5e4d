"""Axes: round ticks, places on a logarithmic axis, and labels that do not overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

ROUND = (1, 2, 5, 10)
"""What the first digit of a step between ticks may be."""


def linear_ticks(largest: float, most: int = 5) -> tuple[int, ...]:
    """Round numbers from 0 to at most the largest, at most so many after 0."""
    power = 10 ** max(math.floor(math.log10(max(largest, 1) / most)), 0)
    steps = [first * power for first in ROUND]
    step = next((step for step in steps if largest // step <= most), steps[-1])
    return tuple(range(0, math.floor(largest) + 1, step))


@dataclass(frozen=True)
class LogScale:
    """A logarithmic axis: values from ``low`` to ``high`` at places from ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """Where a value stands."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)


MOST_DOUBLINGS = 8
"""On longer axes ticks are powers of 10."""


def log_ticks(values: Sequence[float], most: int = 6) -> tuple[float, ...]:
    """Powers of 2 or 10 that enclose the values, 1 among them if they do."""
    low, high = min(values), max(values)
    base = 2 if math.log2(high / low) <= MOST_DOUBLINGS else 10
    # what is a power but for rounding needs no tick beyond it
    first = math.floor(math.log(low, base) + 1e-9)
    last = math.ceil(math.log(high, base) - 1e-9)
    if first == last:
        first, last = first - 1, last + 1
    step = math.ceil((last - first) / most)
    powers = range(first - first % step, last + step, step)
    return tuple(float(base) ** power for power in powers)


def spread(wanted: Sequence[float], sizes: Sequence[float], low: float, high: float) -> list[float]:
    """Centres as near as can be to those that are wanted, in ascending order and not overlapping.

    Args:
        wanted: centres, ascending.
        sizes: how much room each takes.
        low: where the room begins.
        high: where it ends; there must be enough of it.
    """
    runs: list[list[int]] = []
    for index in range(len(wanted)):
        runs.append([index])
        # those that touch move as one, so that none of them is favoured
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
    """Where a run of labels begins if it is as near as can be to where they are wanted."""
    offset, starts = 0.0, []
    for index in run:
        starts.append(wanted[index] - sizes[index] / 2 - offset)
        offset += sizes[index]
    return max(low, min(sum(starts) / len(starts), high - offset))


def apart(places: Sequence[float], widths: Sequence[float], gap: float) -> range:
    """Every label, every second, every third …: as many as do not touch at ascending places."""
    indices = range(len(places))
    for step in range(1, len(places)):
        kept = indices[::step]
        if all(
            places[right] - widths[right] / 2 >= places[left] + widths[left] / 2 + gap
            for left, right in pairwise(kept)
        ):
            return kept
    return indices[:1]
