"""Along a pipeline and across it: the same layout whether it runs down or to the right."""

from __future__ import annotations

from dataclasses import dataclass

from sphinx_llmsize.diagram import Direction
from sphinx_llmsize.drawing.picture import BASELINE, LINE_HEIGHT, Anchor, Point, point
from sphinx_llmsize.drawing.pipeline_picture import Frame, Lettering
from sphinx_llmsize.drawing.text_runs import Run, line_width

GAP = 6
"""Between a line and what is written beside it."""
HEAD = (8, 3.5)
"""The length of an arrow's head, and half its width."""


@dataclass(frozen=True)
class Room:
    """What a part takes.

    Attributes:
        along: from its begin to its end.
        before: on one side of its line: on the left, or above.
        after: on the other side.
    """

    along: float
    before: float
    after: float


@dataclass(frozen=True)
class Compass:
    """What depends on the direction that a pipeline runs in."""

    direction: Direction

    @property
    def is_down(self) -> bool:
        """Whether it runs down, so that its line is upright."""
        return self.direction is Direction.TB

    def at(self, along: float, across: float) -> Point:
        """A point of the picture."""
        return point(across, along) if self.is_down else point(along, across)

    def along(self, at: Point) -> float:
        """How far along the pipeline a point of the picture is."""
        return at[1] if self.is_down else at[0]

    def across(self, at: Point) -> float:
        """How far across the pipeline it is."""
        return at[0] if self.is_down else at[1]

    def frame(self, along: float, across: float, room: Room) -> Frame:
        """The rectangle of a part that begins there, its line at that place."""
        left, top = self.at(along, across - room.before)
        width, height = point(room.before + room.after, room.along)
        return Frame(left, top, *((width, height) if self.is_down else (height, width)))

    def box(self, width: float, height: float) -> Room:
        """The room of a rectangle with its line through the middle."""
        if self.is_down:
            return Room(height, width / 2, width / 2)
        return Room(width, height / 2, height / 2)

    def label(self, line: tuple[Run, ...]) -> Room:
        """The room of a text beside the line."""
        width = line_width(line)
        if self.is_down:
            return Room(LINE_HEIGHT + 2, 0, GAP + width)
        return Room(width + 2 * GAP, LINE_HEIGHT, 0)

    def labelled(self, along: float, across: float, line: tuple[Run, ...]) -> Lettering:
        """That text, where its room begins there."""
        if self.is_down:
            return Lettering(point(across + GAP, along + LINE_HEIGHT / 2 + 1 + BASELINE), line)
        middle = along + self.label(line).along / 2
        return Lettering(point(middle, across - GAP), line, Anchor.MIDDLE)

    def title(self, width: float, height: float) -> tuple[float, float, float]:
        """The room of a cluster's title.

        Returns:
            what it takes before the parts in the cluster, what beside them, and how long the
            cluster must be.
        """
        return (height, width, 0) if self.is_down else (0, height + GAP, width)

    def head(self, tip: Point, last: Point) -> tuple[Point, Point, Point]:
        """The head of an arrow that comes straight from a point."""
        (x, y), (length, half) = tip, HEAD
        dx, dy = _sign(tip[0] - last[0]), _sign(tip[1] - last[1])
        back_x, back_y = x - dx * length, y - dy * length
        one = point(back_x + dy * half, back_y + dx * half)
        return tip, one, point(back_x - dy * half, back_y - dx * half)


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
