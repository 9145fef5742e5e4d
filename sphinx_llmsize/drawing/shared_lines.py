"""Lines of arrows that share a way, without the pieces that another line already has.

A line drawn twice looks thicker, because the edges of lines are smoothed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from sphinx_llmsize.drawing.picture import Point

Line = tuple[Point, ...]
"""Corners of a line of horizontal and vertical pieces."""
Span = tuple[float, float]
"""Lower and upper end of a horizontal or vertical piece of a line."""
Covered = dict[tuple[int, float], list[Span]]
"""Spans by the axis that the pieces are across, 0 for x or 1 for y, and their position on it."""


def without_shared_pieces(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines without pieces of lines before them; a line may fall into several."""
    covered: Covered = {}
    for points in lines:
        corners: list[Point] = []
        for start, end in _new_pieces(points, covered):
            if corners and corners[-1] != start:
                yield tuple(corners)
                corners = []
            corners += [end] if corners else [start, end]
        if corners:
            yield tuple(corners)


def _new_pieces(points: Iterable[Point], covered: Covered) -> Iterator[tuple[Point, Point]]:
    """Pieces of a line outside the spans in ``covered``, to which they are added."""
    for start, end in pairwise(points):
        across = 0 if start[0] == end[0] else 1
        spans = covered.setdefault((across, start[across]), [])
        low, high = sorted((start[1 - across], end[1 - across]))
        new = list(_outside(low, high, spans))
        spans.append((low, high))
        is_reversed = start[1 - across] > end[1 - across]
        for span in reversed(new) if is_reversed else new:
            ends = [(start[0], at) if across == 0 else (at, start[1]) for at in span]
            yield (ends[1], ends[0]) if is_reversed else (ends[0], ends[1])


def _outside(low: float, high: float, spans: Iterable[Span]) -> Iterator[Span]:
    """The parts of a span, in order, outside the other spans."""
    begin = low
    for other_low, other_high in sorted(spans):
        if begin < min(other_low, high):
            yield begin, min(other_low, high)
        begin = max(begin, other_high)
    if begin < high:
        yield begin, high
