"""A picture: lines, then areas, then texts, in units of which a page has room for 380."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sphinx_llmsize.drawing.palette import Colour

WIDTH = 380
"""Of every picture: so narrow that its text can be read on a phone."""
FONT_SIZE = 13
LINE_HEIGHT = 16
BASELINE = 4.5
"""How far below the middle of a line its letters stand."""

Point = tuple[float, float]
"""From the left, and from the top."""


class Anchor(Enum):
    """Which of its points a text is put by."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True)
class Text:
    """A line of text, its letters standing on a point; without a colour in that of the page."""

    at: Point
    text: str
    anchor: Anchor = Anchor.START
    colour: Colour | None = None


@dataclass(frozen=True)
class Area:
    """A polygon filled with a colour.

    Attributes:
        corners: at least three.
        colour: that it is filled with.
        tip: what it says when it is pointed at.
    """

    corners: tuple[Point, ...]
    colour: Colour
    tip: str = ""


@dataclass(frozen=True)
class Stroke:
    """A line through points; without a colour a faint one in that of the page.

    Attributes:
        points: at least two.
        colour: that it is drawn in.
        dashes: lengths drawn and left out in turn, where the medium can.
    """

    points: tuple[Point, ...]
    colour: Colour | None = None
    dashes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Picture:
    """Everything in a chart, in its place.

    Attributes:
        title: what it shows.
        description: the same in words.
        height: of all of it.
        strokes: drawn first.
        areas: drawn over them.
        texts: drawn last.
    """

    title: str
    description: str
    height: float
    strokes: tuple[Stroke, ...]
    areas: tuple[Area, ...]
    texts: tuple[Text, ...]
    width: int = WIDTH
    font_size: int = FONT_SIZE


def point(x: float, y: float) -> Point:
    """A point, rounded so that it is the same wherever it is computed."""
    return round(x, 2), round(y, 2)


def box(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of a rectangle."""
    return point(x, y), point(x + width, y), point(x + width, y + height), point(x, y + height)
