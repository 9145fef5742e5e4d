"""Markers and dash patterns, which distinguish curves without relying on colour."""

from __future__ import annotations

import math

from sphinx_llmsize.drawing.picture import Point, point

DASHES: tuple[tuple[int, ...], ...] = ((), (7, 3), (2, 3), (9, 3, 2, 3), (4, 2), (1, 2))
"""Lengths of dashes and gaps; the first curve is solid."""
FORMS = ((16, 0.0), (4, 0.125), (3, 0.75), (4, 0.0), (3, 0.25), (6, 0.0))
"""Circle, square, triangle, diamond, inverted triangle and hexagon.

Each is a number of corners and the angle of the first corner, as a fraction of a full turn.
"""
RADIUS = 4.5
"""Distance of the corners from the centre of a marker."""


def marker(number: int, at: Point) -> tuple[Point, ...]:
    """Corners of a curve's marker, by the index of the curve."""
    corners, turn = FORMS[number % len(FORMS)]
    return tuple(
        point(at[0] + RADIUS * math.cos(angle), at[1] + RADIUS * math.sin(angle))
        for angle in (math.tau * (turn + step / corners) for step in range(corners))
    )
