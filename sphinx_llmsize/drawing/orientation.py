"""Orientation of a pipeline: converts positions along and across the pipeline to x and y."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sphinx_llmsize.diagram import Direction
from sphinx_llmsize.drawing.picture import BASELINE, LINE_HEIGHT, Anchor, Point, point
from sphinx_llmsize.drawing.pipeline_picture import Frame, Lettering
from sphinx_llmsize.drawing.text_runs import Runs, line_width
from sphinx_llmsize.drawing.text_width import text_width

GAP = 6
"""Distance between a line and the text beside it."""
LABEL_GAP = 4
"""Distance of a text beside a vertical line from the box above it."""
BADGE_HEIGHT = 16
"""Height of a badge; its ends are half circles."""
HEAD = (7, 3)
"""Length and half the width of an arrow head."""


@dataclass(frozen=True)
class Room:
    """Space for a part of a pipeline, on both sides of the line that the pipeline follows.

    Attributes:
        along: length in the direction of the pipeline.
        before: extent to the left of the line, or above a horizontal one.
        after: extent to the right of the line, or below a horizontal one.
    """

    along: float
    before: float
    after: float

    def longer(self, space: float) -> Room:
        """The room with more length."""
        return replace(self, along=self.along + space)

    def overlaps(self, other: Room, distance: float) -> bool:
        """True if two rooms side by side overlap; ``distance`` is that between their lines."""
        return distance - other.before < self.after and distance + other.after > -self.before


@dataclass(frozen=True)
class Orientation:
    """Geometry that depends on the direction of the diagram."""

    direction: Direction

    @property
    def is_down(self) -> bool:
        """True if the pipeline runs from top to bottom."""
        return self.direction is Direction.TB

    def at(self, along: float, across: float) -> Point:
        """The point at a position along and across the pipeline."""
        return point(across, along) if self.is_down else point(along, across)

    def along(self, at: Point) -> float:
        """The position of a point, or the extent of a size, along the pipeline."""
        return at[1] if self.is_down else at[0]

    def across(self, at: Point) -> float:
        """The position of a point, or the extent of a size, across the pipeline."""
        return at[0] if self.is_down else at[1]

    def frame(self, along: float, across: float, room: Room) -> Frame:
        """The rectangle of a part that starts at this position along and across the pipeline."""
        left, top = self.at(along, across - room.before)
        width, height = point(room.before + room.after, room.along)
        return Frame(left, top, *((width, height) if self.is_down else (height, width)))

    def box_room(self, width: float, height: float) -> Room:
        """The room of a rectangle centred on the pipeline's line."""
        if self.is_down:
            return Room(height, width / 2, width / 2)
        return Room(width, height / 2, height / 2)

    def badge_room(self, word: str) -> Room:
        """The room of a word in a badge, centred on the pipeline's line."""
        return self.box_room(text_width(word) + BADGE_HEIGHT / 2, BADGE_HEIGHT)

    def label_room(self, lines: tuple[Runs, ...]) -> Room:
        """The room of a text beside the pipeline's line."""
        width = max(map(line_width, lines))
        if self.is_down:
            return Room(len(lines) * LINE_HEIGHT + LABEL_GAP, 0, GAP + width)
        return Room(width + 2 * GAP, len(lines) * LINE_HEIGHT, 0)

    def placed_label(
        self, along: float, across: float, lines: tuple[Runs, ...]
    ) -> Iterator[Lettering]:
        """Lines of a text beside the pipeline's line; its room starts at this position."""
        if self.is_down:
            for row, line in enumerate(lines):
                below = along + (row + 0.5) * LINE_HEIGHT + LABEL_GAP + BASELINE
                yield Lettering(point(across + GAP, below), line)
            return
        middle = along + self.label_room(lines).along / 2
        for row, line in enumerate(reversed(lines)):
            above = across - GAP - row * LINE_HEIGHT
            yield Lettering(point(middle, above), line, Anchor.MIDDLE)

    def head(self, tip: Point, last: Point) -> tuple[Point, Point, Point]:
        """Corners of the head at ``tip`` of a horizontal or vertical arrow from ``last``."""
        x, y = tip
        length, half = HEAD
        dx, dy = _sign(x - last[0]), _sign(y - last[1])
        back_x, back_y = x - dx * length, y - dy * length
        one_side = point(back_x + dy * half, back_y + dx * half)
        other_side = point(back_x - dy * half, back_y - dx * half)
        return tip, one_side, other_side


def _sign(number: float) -> int:
    """1 for a positive number, -1 for a negative one, 0 for zero."""
    return (number > 0) - (number < 0)


def straightened(points: Iterable[Point]) -> tuple[Point, ...]:
    """The points without duplicates and without those in the middle of a straight line."""
    corners: list[Point] = []
    for at in points:
        if corners and at == corners[-1]:
            continue
        if len(corners) > 1:
            (x1, y1), (x2, y2) = corners[-2:]
            is_straight = x1 == x2 == at[0] or y1 == y2 == at[1]
            if is_straight:
                corners.pop()
        corners.append(at)
    return tuple(corners)
