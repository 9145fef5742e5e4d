"""Forms that curves are told apart by, besides their colours."""

from __future__ import annotations

import math

from sphinx_llmsize.drawing.picture import Point, point

DASHES: tuple[tuple[int, ...], ...] = ((), (7, 3), (2, 3), (9, 3, 2, 3), (4, 2), (1, 2))
"""Lengths drawn and left out in turn; the first curve is drawn whole."""
FORMS = ((16, 0.0), (4, 0.125), (3, 0.75), (4, 0.0), (3, 0.25), (6, 0.0))
"""Circle, square, triangle, diamond, a triangle upside down and a hexagon.

For each how many corners it has, and where the first one stands, in turns from the right.
"""
RADIUS = 4.5


def mark(number: int, at: Point) -> tuple[Point, ...]:
    """The corners of a curve's mark, of which every curve has another."""
    corners, turn = FORMS[number % len(FORMS)]
    return tuple(
        point(at[0] + RADIUS * math.cos(angle), at[1] + RADIUS * math.sin(angle))
        for angle in (math.tau * (turn + step / corners) for step in range(corners))
    )
