"""Connections of pipeline diagrams: lines between boxes and joints, as Mermaid draws them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Union

from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.diagram_joints import Joint, JointKind
from sphinx_llmsize.inline import Line

End = Union[Box, Joint]
"""Start or end of a line."""


class Course(Enum):
    """Order of the two directions of a line that turns once, at a right angle."""

    ACROSS = "across"
    """First across the pipeline, then along it."""
    ALONG = "along"
    """First along the pipeline, then across it."""


class Side(Enum):
    """Side of a sum at which a line ends."""

    LEFT = "left"
    RIGHT = "right"


class LineKind(Enum):
    """Kind of a line; decides its look."""

    FLOW = "flow"
    """Flow of activations, with an arrow head if it ends at a box."""
    FRAME = "frame"
    """A side of a cluster's frame."""
    GUIDE = "guide"
    """An invisible line beside a chain of boxes, which keeps the chain straight.

    Mermaid places a box below the middle one of the lines that end in it. A guide on one side
    balances a visible line on the other side, so that the chain is in the middle.
    """


@dataclass(frozen=True)
class Connection:
    """A line between two boxes or joints.

    Attributes:
        start: box or joint at its start.
        end: box or joint at its end.
        label: text beside it.
        course: its directions, if it turns.
        kind: its look.
        is_label_left: the text is to the left of the line, as for branches on the left of a fork.
        length: minimum number of ranks of Mermaid's layout from start to end.
        column: box whose width Mermaid reserves for the line; None to reserve none.
        side: side of the sum at which it ends; None if it ends in a sum from above, or elsewhere.
    """

    start: End
    end: End
    label: Line = ()
    course: Course = Course.ACROSS
    kind: LineKind = LineKind.FLOW
    is_label_left: bool = False
    length: int = 1
    column: Box | None = None
    side: Side | None = None

    @property
    def has_head(self) -> bool:
        """True for a flow of activations to a box, which has an arrow head."""
        is_shown_box = isinstance(self.end, Box) and not self.end.is_missing
        return self.kind is LineKind.FLOW and is_shown_box

    @property
    def is_titled(self) -> bool:
        """True if the text is the title of a cluster."""
        return bool(self.label) and self.start.kind is JointKind.FRAME


def ranks_of(lines: Iterable[Connection]) -> dict[End, int]:
    """Rank of each end in Mermaid's layout, from the start of the first line.

    Args:
        lines: lines, in an order in which all lines to an end come before those from it.
    """
    ranks: dict[End, int] = {}
    for line in lines:
        ranks[line.end] = max(ranks.get(line.end, 0), ranks.get(line.start, 0) + line.length)
    return ranks


def with_sides(lines: Sequence[Connection]) -> tuple[Connection, ...]:
    """The lines of a diagram that runs down, with the sides of sums at which some of them end.

    Args:
        lines: all lines, in which those to a sum are ordered from left to right.
    """
    flows: dict[End, list[Connection]] = {}
    for line in lines:
        if line.kind is LineKind.FLOW:
            flows.setdefault(line.end, []).append(line)
    return tuple(replace(line, side=_side(line, flows.get(line.end, []))) for line in lines)


def _side(line: Connection, to_same_end: list[Connection]) -> Side | None:
    """Side of a sum at which a line ends, if it comes from a side."""
    is_sum = isinstance(line.end, Box) and line.end.kind is BoxKind.ADDITION
    if not is_sum or line.course is not Course.ALONG:
        return None
    is_left = 2 * to_same_end.index(line) < len(to_same_end) - 1
    return Side.LEFT if is_left else Side.RIGHT
