"""Picture of a chart: lines, areas and texts, for a wide or a narrow column."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sphinx_llmsize.drawing.palette import Colour
from sphinx_llmsize.picture_widths import WIDE

FONT_SIZE = 13
"""Size of all texts."""
LINE_HEIGHT = 16
"""Distance between the baselines of two lines of text."""
BASELINE = 4.5
"""Distance from the middle of a line of text down to its baseline."""

Point = tuple[float, float]
"""Distances from the left and from the top of the picture, in px."""


class Anchor(Enum):
    """Horizontal alignment of a text relative to its point."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True)
class Text:
    """A line of text.

    Attributes:
        at: point on the baseline; its start, middle or end according to ``anchor``.
        text: the characters.
        anchor: horizontal alignment.
        colour: colour of the text; None for that of the page's text.
    """

    at: Point
    text: str
    anchor: Anchor = Anchor.START
    colour: Colour | None = None


@dataclass(frozen=True)
class Area:
    """A polygon filled with a colour.

    Attributes:
        corners: at least three.
        colour: fill.
        tip: tooltip.
    """

    corners: tuple[Point, ...]
    colour: Colour
    tip: str = ""


@dataclass(frozen=True)
class Stroke:
    """A line through points; without a colour, it is a faint line in the page's text colour.

    Attributes:
        points: at least two.
        colour: colour of the line.
        dashes: lengths of dashes and gaps; ignored in LaTeX.
    """

    points: tuple[Point, ...]
    colour: Colour | None = None
    dashes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Picture:
    """Everything in a chart, with positions.

    Attributes:
        title: for screen readers.
        description: the chart in words.
        height: height of the picture.
        strokes: lines, drawn first.
        areas: polygons, drawn over the lines.
        texts: texts, drawn last.
        width: width of the picture, for a wide or a narrow column.
        font_size: size of all texts, the same for every chart.
    """

    title: str
    description: str
    height: float
    strokes: tuple[Stroke, ...]
    areas: tuple[Area, ...]
    texts: tuple[Text, ...]
    width: int = WIDE
    font_size: int = FONT_SIZE


def point(x: float, y: float) -> Point:
    """A point, rounded so that it is the same on every platform."""
    return round(x, 2), round(y, 2)


def baseline(top: float, row: int) -> float:
    """Baseline of a line of text: the 0-based ``row`` of a text whose upper edge is ``top``."""
    return top + (row + 0.5) * LINE_HEIGHT + BASELINE


def rectangle(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of a rectangle, clockwise from the upper left one at ``x``, ``y``."""
    return point(x, y), point(x + width, y), point(x + width, y + height), point(x, y + height)
