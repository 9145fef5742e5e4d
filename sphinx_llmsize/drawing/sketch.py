"""A pipeline's picture: frames, texts and arrows in their places, in the units of charts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.diagram import Box, Cluster
from sphinx_llmsize.drawing.palette import ACCENT, Colour
from sphinx_llmsize.drawing.picture import FONT_SIZE, Anchor, Point, box
from sphinx_llmsize.drawing.runs import Run


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


@dataclass(frozen=True)
class Lettering:
    """A line of text, its letters standing on a point."""

    at: Point
    runs: tuple[Run, ...]
    anchor: Anchor = Anchor.START
    bold: bool = False


@dataclass(frozen=True)
class DrawnBox:
    """A box in its place, with what is written in it."""

    box: Box
    frame: Frame
    texts: tuple[Lettering, ...]


@dataclass(frozen=True)
class DrawnCluster:
    """A cluster in its place; its title is written in the frame."""

    cluster: Cluster
    frame: Frame
    texts: tuple[Lettering, ...]


@dataclass(frozen=True)
class DrawnArrow:
    """An arrow from a box to another.

    Attributes:
        start: where it comes from.
        end: where it leads to.
        points: its corners; the first is at one box, the last at the other.
        head: the corners of its head.
    """

    start: Box
    end: Box
    points: tuple[Point, ...]
    head: tuple[Point, Point, Point]


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
    accent: Colour = ACCENT
    font_size: int = FONT_SIZE

    @property
    def heads(self) -> tuple[tuple[Point, ...], ...]:
        """Every arrow's head once, also where arrows come together."""
        return tuple(dict.fromkeys(arrow.head for arrow in self.arrows))

    @property
    def texts(self) -> Iterator[Lettering]:
        """Everything that is written."""
        yield from self.outputs
        for cluster in self.clusters:
            yield from cluster.texts
        for drawn in self.boxes:
            yield from drawn.texts
