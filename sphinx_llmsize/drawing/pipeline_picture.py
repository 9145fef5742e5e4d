"""Picture of a pipeline: frames, texts and arrows with their positions.

Lengths are in px. The origin is the upper left corner; y grows downwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any, TypeVar

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_tree import Cluster
from sphinx_llmsize.drawing.palette import ACCENT, Colour
from sphinx_llmsize.drawing.picture import (
    FONT_SIZE,
    LINE_HEIGHT,
    Anchor,
    Point,
    baseline,
    point,
    rectangle,
)
from sphinx_llmsize.drawing.shared_lines import without_shared_pieces
from sphinx_llmsize.drawing.text_runs import Runs, line_width

CUT_MARK_RADIUS = 8
"""Radius of the numbered circles at a cut."""
ASCENT = 0.75
"""Height of a text above its baseline, relative to the font size."""

MovableT = TypeVar("MovableT", bound="Movable")


@dataclass(frozen=True)
class Movable:
    """Base class of the parts of a picture; moving a part also moves its contents."""

    def moved(self: MovableT, dx: float, dy: float) -> MovableT:
        """A copy, moved to the right and down."""
        changed = {each.name: _moved(getattr(self, each.name), dx, dy) for each in fields(self)}
        return replace(self, **changed)


def _moved(value: Any, dx: float, dy: float) -> Any:
    """A field's value with all points in it moved; a tuple that begins with a number is a point."""
    if isinstance(value, Movable):
        return value.moved(dx, dy)
    if not isinstance(value, tuple):
        return value
    if value and isinstance(value[0], (int, float)):
        return point(value[0] + dx, value[1] + dy)
    return tuple(_moved(each, dx, dy) for each in value)


@dataclass(frozen=True)
class Frame(Movable):
    """A rectangle."""

    left: float
    top: float
    width: float
    height: float

    def within(self, distance: float) -> Frame:
        """The rectangle inside this one, at a distance from all sides."""
        corner = point(self.left + distance, self.top + distance)
        return Frame(*corner, *point(self.width - 2 * distance, self.height - 2 * distance))

    def moved(self, dx: float, dy: float) -> Frame:
        """A copy, moved to the right and down."""
        return Frame(*point(self.left + dx, self.top + dy), self.width, self.height)

    @property
    def corners(self) -> tuple[Point, ...]:
        """The four corners, clockwise from the upper left."""
        return rectangle(self.left, self.top, self.width, self.height)

    @property
    def right(self) -> float:
        """The x coordinate of the right side."""
        return round(self.left + self.width, 2)

    @property
    def bottom(self) -> float:
        """The y coordinate of the lower side."""
        return round(self.top + self.height, 2)


def sides(frame: Frame) -> tuple[tuple[Point, ...], ...]:
    """The upper, right, lower and left side of a rectangle."""
    corners = frame.corners
    return tuple(pairwise((*corners, corners[0])))


@dataclass(frozen=True)
class Lettering(Movable):
    """A line of text at a position.

    Attributes:
        at: point on the baseline; its start, middle or end according to ``anchor``.
        runs: pieces of the text, each in one style.
        anchor: horizontal alignment.
    """

    at: Point
    runs: Runs
    anchor: Anchor = Anchor.START

    @property
    def bounds(self) -> Frame:
        """Smallest rectangle around the text, including subscripts."""
        width = line_width(self.runs)
        left = self.at[0] - (width / 2 if self.anchor is Anchor.MIDDLE else 0)
        return Frame(left, self.at[1] - ASCENT * FONT_SIZE, width, FONT_SIZE)


def centred(texts: Sequence[Runs], frame: Frame) -> Iterator[Lettering]:
    """Lines of text in the middle of a frame."""
    middle = frame.left + frame.width / 2
    top = frame.top + (frame.height - len(texts) * LINE_HEIGHT) / 2
    for row, line in enumerate(texts):
        yield Lettering(point(middle, baseline(top, row)), line, Anchor.MIDDLE)


@dataclass(frozen=True)
class DrawnBox(Movable):
    """A box with its texts."""

    box: Box
    frame: Frame
    texts: tuple[Lettering, ...]


@dataclass(frozen=True)
class DrawnCluster(Movable):
    """A cluster with its title.

    Attributes:
        cluster: the cluster.
        frame: rectangle around it.
        texts: lines of the title, inside the frame.
        sides: sides of the frame to draw; a cut side is missing.
    """

    cluster: Cluster
    frame: Frame
    texts: tuple[Lettering, ...]
    sides: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True)
class DrawnArrow(Movable):
    """An arrow between two boxes, or the piece of an arrow on one side of a cut.

    Attributes:
        start: box at the start of the arrow.
        end: box at the arrow head.
        points: start, bends and end of the line.
        head: corners of the arrow head; empty if the head is on another piece.
    """

    start: Box
    end: Box
    points: tuple[Point, ...]
    head: tuple[Point, ...]


@dataclass(frozen=True)
class Badge(Movable):
    """A word at the fork of alternatives, in a filled frame with round ends."""

    frame: Frame
    text: Lettering


@dataclass(frozen=True)
class CutMark(Movable):
    """A numbered circle where a cut arrow ends or continues.

    Attributes:
        at: centre of the circle.
        text: number, the same on both sides of the cut.
        radius: radius of the circle.
    """

    at: Point
    text: Lettering
    radius: int = CUT_MARK_RADIUS


@dataclass(frozen=True)
class PipelinePicture(Movable):
    """Picture of a pipeline.

    Attributes:
        title: title for screen readers.
        description: the diagram in words.
        width: width of the picture.
        height: height of the picture.
        clusters: outer ones before inner ones.
        boxes: in order.
        arrows: in order of the diagram.
        labels: labels of arrows, beside them.
        dots: points where a line branches off while the flow goes straight on.
        badges: words at the forks of alternatives.
        cut_marks: numbered circles at cuts.
        accent: colour of boxes that grow with D.
        font_size: size of all texts.
    """

    title: str
    description: str
    width: float
    height: float
    clusters: tuple[DrawnCluster, ...]
    boxes: tuple[DrawnBox, ...]
    arrows: tuple[DrawnArrow, ...]
    labels: tuple[Lettering, ...]
    dots: tuple[Point, ...] = ()
    badges: tuple[Badge, ...] = ()
    cut_marks: tuple[CutMark, ...] = ()
    accent: Colour = ACCENT
    font_size: int = FONT_SIZE

    @property
    def heads(self) -> tuple[tuple[Point, ...], ...]:
        """Corners of each distinct arrow head; arrows that join share a head."""
        return tuple(dict.fromkeys(arrow.head for arrow in self.arrows if arrow.head))

    @property
    def lines(self) -> tuple[tuple[Point, ...], ...]:
        """Lines of the arrows; no piece is in two lines."""
        return tuple(without_shared_pieces(arrow.points for arrow in self.arrows))

    @property
    def texts(self) -> Iterator[Lettering]:
        """Every line of text: in labels, circles, badges, titles of clusters and boxes."""
        yield from self.labels
        for mark in self.cut_marks:
            yield mark.text
        for badge in self.badges:
            yield badge.text
        for cluster in self.clusters:
            yield from cluster.texts
        for drawn in self.boxes:
            yield from drawn.texts
