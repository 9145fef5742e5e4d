"""A pipeline's picture: frames, texts and arrows in their places, in the units of charts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from sphinx_llmsize.diagram import Box, Cluster
from sphinx_llmsize.drawing.palette import ACCENT, Colour
from sphinx_llmsize.drawing.picture import FONT_SIZE, Anchor, Point, box, point
from sphinx_llmsize.drawing.text_runs import Run, line_width

JOINT = 8
"""The radius of the circle at which a line that is cut goes on."""


def moved(points: Iterable[Point], dx: float, dy: float) -> tuple[Point, ...]:
    """Points that far to the right and down."""
    return tuple(point(x + dx, y + dy) for x, y in points)


@dataclass(frozen=True)
class Frame:
    """A rectangle."""

    left: float
    top: float
    width: float
    height: float

    def within(self, distance: float) -> Frame:
        """The one in it whose sides are that far from its own."""
        return Frame(
            round(self.left + distance, 2),
            round(self.top + distance, 2),
            round(self.width - 2 * distance, 2),
            round(self.height - 2 * distance, 2),
        )

    def moved(self, dx: float, dy: float) -> Frame:
        """The one that far to the right and down."""
        return Frame(*point(self.left + dx, self.top + dy), self.width, self.height)

    @property
    def corners(self) -> tuple[Point, ...]:
        """Its four corners."""
        return box(self.left, self.top, self.width, self.height)

    @property
    def right(self) -> float:
        """Where it ends."""
        return round(self.left + self.width, 2)

    @property
    def bottom(self) -> float:
        """Where it ends below."""
        return round(self.top + self.height, 2)


def sides(frame: Frame) -> tuple[tuple[Point, ...], ...]:
    """The four lines around a rectangle: above, at the right, below and at the left."""
    corners = frame.corners
    return tuple(pairwise((*corners, corners[0])))


@dataclass(frozen=True)
class Lettering:
    """A line of text, its letters standing on a point."""

    at: Point
    runs: tuple[Run, ...]
    anchor: Anchor = Anchor.START
    bold: bool = False

    @property
    def room(self) -> Frame:
        """What it covers, from its highest letters to its lowest index."""
        width = line_width(self.runs, bold=self.bold)
        left = self.at[0] - (width / 2 if self.anchor is Anchor.MIDDLE else 0)
        return Frame(left, self.at[1] - 0.75 * FONT_SIZE, width, FONT_SIZE)

    def moved(self, dx: float, dy: float) -> Lettering:
        """The same that far to the right and down."""
        return replace(self, at=point(self.at[0] + dx, self.at[1] + dy))


@dataclass(frozen=True)
class DrawnBox:
    """A box in its place, with what is written in it."""

    box: Box
    frame: Frame
    texts: tuple[Lettering, ...]

    def moved(self, dx: float, dy: float) -> DrawnBox:
        """The same that far to the right and down."""
        texts = tuple(text.moved(dx, dy) for text in self.texts)
        return DrawnBox(self.box, self.frame.moved(dx, dy), texts)


@dataclass(frozen=True)
class DrawnCluster:
    """A cluster in its place; its title is written in the frame.

    Attributes:
        cluster: what it is.
        frame: around it.
        texts: its title.
        sides: the lines of the frame, of which one is missing where it was cut.
    """

    cluster: Cluster
    frame: Frame
    texts: tuple[Lettering, ...]
    sides: tuple[tuple[Point, ...], ...]

    def moved(self, dx: float, dy: float) -> DrawnCluster:
        """The same that far to the right and down."""
        texts = tuple(text.moved(dx, dy) for text in self.texts)
        sides = tuple(moved(side, dx, dy) for side in self.sides)
        return DrawnCluster(self.cluster, self.frame.moved(dx, dy), texts, sides)


@dataclass(frozen=True)
class DrawnArrow:
    """An arrow from a box to another, or a piece of one.

    Attributes:
        start: where it comes from.
        end: where it leads to.
        points: its corners; the first is at one box, the last at the other.
        head: the corners of its head; none if that is not on the piece.
    """

    start: Box
    end: Box
    points: tuple[Point, ...]
    head: tuple[Point, ...]

    def moved(self, dx: float, dy: float) -> DrawnArrow:
        """The same that far to the right and down."""
        points, head = moved(self.points, dx, dy), moved(self.head, dx, dy)
        return DrawnArrow(self.start, self.end, points, head)


@dataclass(frozen=True)
class Joint:
    """A circle at which a line that was cut goes on, at the one of the same text.

    Attributes:
        at: its middle.
        text: what is written in it.
    """

    at: Point
    text: Lettering
    radius: int = JOINT

    def moved(self, dx: float, dy: float) -> Joint:
        """The same that far to the right and down."""
        return Joint(point(self.at[0] + dx, self.at[1] + dy), self.text.moved(dx, dy))


@dataclass(frozen=True)
class Sketch:
    """A pipeline, everything in its place.

    Attributes:
        title: what it shows.
        description: the same in words.
        width: of all of it.
        height: of all of it.
        clusters: outer ones before those in them.
        boxes: in order.
        arrows: every one of the diagram, in its order.
        outputs: the shapes of what leaves the boxes, beside the arrows.
        joints: where lines that were cut go on.
        accent: the colour of highlighted boxes.
        font_size: of everything that is written.
    """

    title: str
    description: str
    width: float
    height: float
    clusters: tuple[DrawnCluster, ...]
    boxes: tuple[DrawnBox, ...]
    arrows: tuple[DrawnArrow, ...]
    outputs: tuple[Lettering, ...]
    joints: tuple[Joint, ...] = ()
    accent: Colour = ACCENT
    font_size: int = FONT_SIZE

    @property
    def heads(self) -> tuple[tuple[Point, ...], ...]:
        """Every arrow's head once, also where arrows come together."""
        return tuple(dict.fromkeys(arrow.head for arrow in self.arrows if arrow.head))

    @property
    def texts(self) -> Iterator[Lettering]:
        """Everything that is written."""
        yield from self.outputs
        for joint in self.joints:
            yield joint.text
        for cluster in self.clusters:
            yield from cluster.texts
        for drawn in self.boxes:
            yield from drawn.texts

    def moved(self, dx: float, dy: float) -> Sketch:
        """The same, everything in it that far to the right and down."""
        return replace(
            self,
            clusters=tuple(each.moved(dx, dy) for each in self.clusters),
            boxes=tuple(each.moved(dx, dy) for each in self.boxes),
            arrows=tuple(each.moved(dx, dy) for each in self.arrows),
            outputs=tuple(each.moved(dx, dy) for each in self.outputs),
            joints=tuple(each.moved(dx, dy) for each in self.joints),
        )
