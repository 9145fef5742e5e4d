"""Lines of a diagram for Mermaid while their ends are found, and joints between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_connections import Connection, Course, End, LineKind, ranks_of
from sphinx_llmsize.diagram_joints import Joint, JointKind
from sphinx_llmsize.inline import Line

MOST_RANKS = 10
"""Largest length of a line that Mermaid takes."""


@dataclass(frozen=True)
class OpenEnd:
    """Start of a line whose end isn't known yet; the attributes are those of the line."""

    box: End
    label: Line = ()
    is_label_left: bool = False
    column: Box | None = None

    def to(self, end: End, course: Course = Course.ACROSS, length: int = 1) -> Connection:
        """The line to a box or joint."""
        is_first = self.box.kind in {JointKind.FORK, JointKind.EITHER}
        column = end if is_first and isinstance(end, Box) else self.column
        return Connection(
            self.box,
            end,
            self.label,
            course,
            is_label_left=self.is_label_left,
            length=length,
            column=column,
        )


@dataclass
class Lines:
    """Collects lines, of which those to the left come first, as in Mermaid's layout.

    Attributes:
        found: the lines so far.
        numbers: numbers of the next joints.
        cluster: id of the cluster that Mermaid frames around the next joints.
    """

    found: list[Connection] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    cluster: str = ""

    def new(self, kind: JointKind, text: str = "") -> Joint:
        """A new joint, with a text if it is the fork of alternatives."""
        return Joint(f"{kind.value}_{next(self.numbers)}", kind, self.cluster, text)

    def joint(
        self, ends: Iterable[OpenEnd], kind: JointKind = JointKind.JOINT, text: str = ""
    ) -> Joint:
        """Add lines to a new joint, and return it."""
        joint = self.new(kind, text)
        self.found += [end.to(joint) for end in ends]
        return joint

    def guide(self, start: End, end: End, length: int = 1, column: Box | None = None) -> None:
        """Add an invisible line."""
        kind = LineKind.GUIDE
        self.found.append(Connection(start, end, kind=kind, length=length, column=column))

    def balance(self, start: End, end: End, length: int = 1) -> None:
        """Add guides on one side of a chain, which balance what is on the other side of it."""
        balance = self.new(JointKind.GUIDE)
        self.guide(start, balance)
        self.guide(balance, end, length)

    def mirror(self, start: End, end: End, boxes: Sequence[Box]) -> None:
        """Add guides on one side of a chain, which balance these boxes on the other side of it."""
        for number, _box in enumerate(boxes):
            joint = self.new(JointKind.GUIDE)
            self.guide(start, joint, column=None if number else boxes[-1])
            start = joint
        self.guide(start, end)

    def join(self, end: End, joining: Iterable[tuple[Connection, int | None]], before: int) -> None:
        """Add the last line of each branch; all end at the same rank.

        Args:
            end: common end of the branches.
            joining: these lines, each with the index of the line to make as long as needed; None
                for the last line itself.
            before: number of lines before the branches.
        """
        joining = tuple(joining)
        ranks = ranks_of([*self.found[before:], *(line for line, _place in joining)])
        for line, place in joining:
            length = min(ranks[end] - ranks[line.start], MOST_RANKS)
            if place is None:
                self.found.append(replace(line, length=length))
            else:
                self.found[place] = replace(self.found[place], length=length)
                self.found.append(line)

    def rail(self, start: End, end: End) -> None:
        """Add a line that passes a chain: it leaves across, turns, and comes back across."""
        corner = self.joint((OpenEnd(start),))
        self.found.append(Connection(corner, end, course=Course.ALONG))

    def frame_side(
        self, begin: Joint, end: Joint, ranks: int, title: Line = ()
    ) -> list[Connection]:
        """The lines of a side of a frame with a number of ranks, below its title."""
        side = Connection(begin, end, kind=LineKind.FRAME)
        corner = self.new(JointKind.FRAME)
        lines = [replace(side, end=corner, label=title)]
        rest = max(ranks - 1, 1)
        while rest > MOST_RANKS:
            last, corner = corner, self.new(JointKind.FRAME)
            lines.append(replace(side, start=last, end=corner, length=MOST_RANKS))
            rest -= MOST_RANKS
        return [*lines, replace(side, start=corner, course=Course.ALONG, length=rest)]
