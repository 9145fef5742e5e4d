"""Collector of a diagram's lines for Mermaid, with methods for joints, guides and frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_connections import Connection, Course, End, LineKind, ranks_of
from sphinx_llmsize.diagram_joints import Joint, JointKind
from sphinx_llmsize.inline import Line

MOST_RANKS = 10
"""Largest length of a line that Mermaid accepts."""


@dataclass(frozen=True)
class OpenEnd:
    """A line whose end isn't known yet; the attributes are those of the line."""

    start: End
    label: Line = ()
    is_label_left: bool = False
    column: Box | None = None

    def to(self, end: End, course: Course = Course.ACROSS, length: int = 1) -> Connection:
        """The line to a box or joint."""
        begins_branch = self.start.kind in {JointKind.FORK, JointKind.EITHER}
        column = end if begins_branch and isinstance(end, Box) else self.column
        return Connection(
            self.start,
            end,
            self.label,
            course,
            is_label_left=self.is_label_left,
            length=length,
            column=column,
        )


Ends = tuple[OpenEnd, ...]
"""Lines to the next part, whose ends aren't known yet."""


@dataclass(frozen=True)
class LastLine:
    """Last line of a branch in a fork.

    Attributes:
        line: the line.
        stretched: index, in the lines of the collector, of the line of this branch that becomes as
            long as the others need; None for the last line itself.
    """

    line: Connection
    stretched: int | None = None


@dataclass
class LineCollector:
    """Collects lines in the order of Mermaid's layout, from left to right.

    Attributes:
        lines: the lines so far.
        numbers: numbers of the next joints.
        cluster: id of the cluster that Mermaid frames around the next joints.
    """

    lines: list[Connection] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    cluster: str = ""

    def new_joint(self, kind: JointKind, text: str = "") -> Joint:
        """A new joint, with a text if it is the fork of alternatives."""
        return Joint(f"{kind.value}_{next(self.numbers)}", kind, self.cluster, text)

    def to_new_joint(
        self, ends: Iterable[OpenEnd], kind: JointKind = JointKind.JOINT, text: str = ""
    ) -> Joint:
        """Add lines from the open ends to a new joint, and return it."""
        joint = self.new_joint(kind, text)
        self.lines += [end.to(joint) for end in ends]
        return joint

    def add_guide(self, start: End, end: End, length: int = 1, column: Box | None = None) -> None:
        """Add an invisible line."""
        kind = LineKind.GUIDE
        self.lines.append(Connection(start, end, kind=kind, length=length, column=column))

    def add_guides(self, start: End, end: End, length: int = 1) -> None:
        """Add guides on one side of a chain, in balance with a line on its other side."""
        middle = self.new_joint(JointKind.GUIDE)
        self.add_guide(start, middle)
        self.add_guide(middle, end, length)

    def add_mirroring_guides(self, start: End, end: End, boxes: Sequence[Box]) -> None:
        """Add guides on one side of a chain, in balance with these boxes on its other side."""
        for number, _box in enumerate(boxes):
            joint = self.new_joint(JointKind.GUIDE)
            self.add_guide(start, joint, column=None if number else boxes[-1])
            start = joint
        self.add_guide(start, end)

    def end_branches(self, end: End, last_lines: Sequence[LastLine], before: int) -> None:
        """Add the last line of each branch; all end at the same rank.

        Args:
            end: common end of the branches.
            last_lines: these lines.
            before: number of lines before the branches.
        """
        ranks = ranks_of([*self.lines[before:], *(last.line for last in last_lines)])
        for last in last_lines:
            length = min(ranks[end] - ranks[last.line.start], MOST_RANKS)
            if last.stretched is None:
                self.lines.append(replace(last.line, length=length))
            else:
                stretched = self.lines[last.stretched]
                self.lines[last.stretched] = replace(stretched, length=length)
                self.lines.append(last.line)

    def add_bypass(self, start: End, end: End) -> None:
        """Add a line that bypasses a chain: it leaves across, turns, and comes back across."""
        corner = self.to_new_joint((OpenEnd(start),))
        self.lines.append(Connection(corner, end, course=Course.ALONG))

    def frame_side(
        self, begin: Joint, end: Joint, ranks: int, title: Line = ()
    ) -> list[Connection]:
        """The lines of a side of a frame with a number of ranks, below its title."""
        side = Connection(begin, end, kind=LineKind.FRAME)
        corner = self.new_joint(JointKind.FRAME)
        lines = [replace(side, end=corner, label=title)]
        rest = max(ranks - 1, 1)
        while rest > MOST_RANKS:
            last, corner = corner, self.new_joint(JointKind.FRAME)
            lines.append(replace(side, start=last, end=corner, length=MOST_RANKS))
            rest -= MOST_RANKS
        return [*lines, replace(side, start=corner, course=Course.ALONG, length=rest)]
