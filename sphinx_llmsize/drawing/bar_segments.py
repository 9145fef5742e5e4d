"""Segments of a stacked bar: wide enough to be seen, with gaps between them. Lengths are in px."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

LEAST_WIDTH = 1.0
"""Width of a segment that can be seen."""
GAP = 1.0
"""Gap between segments, which separates them even without colours."""
LEAST_WITH_GAP = 4 * GAP
"""Width from which a segment has room for gaps."""


def visible_widths(widths: Sequence[float]) -> list[float]:
    """The widths, each at least ``LEAST_WIDTH``; the largest gives up the difference.

    They are unchanged if the largest would not remain the largest, as in a very short bar.
    """
    raised = [max(width, LEAST_WIDTH) for width in widths]
    largest = widths.index(max(widths))
    raised[largest] -= sum(raised) - sum(widths)
    return raised if raised[largest] >= max(raised) else list(widths)


def spans(widths: Sequence[float], start: float) -> list[tuple[float, float]]:
    """Left end and width of each segment without its gaps.

    The wider of two neighbours has the gap, so that narrow ones are not lost in it.

    Args:
        widths: widths of the segments with the gaps.
        start: left end of the first one.
    """
    edges = list(accumulate(widths, initial=start))
    lefts, rights = edges[:-1], edges[1:]
    for position, (width, next_width) in enumerate(pairwise(widths)):
        if max(width, next_width) < LEAST_WITH_GAP:
            continue
        if width > next_width:
            rights[position] -= GAP
        else:
            lefts[position + 1] += GAP
    return [(left, right - left) for left, right in zip(lefts, rights, strict=True)]
