"""Collector of a diagram's lines for Mermaid, with methods for boxes, joints, guides and frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.diagram_connections import Connection, Course, End, LineKind, ranks_of
from sphinx_llmsize.diagram_joints import Joint, JointKind
from sphinx_llmsize.inline import Line

MAX_RANKS = 10
"""Maximum length of a line in Mermaid."""
TWO_RANKS = 2
"""Length of a line beside a gate, or of one that other lines cross, which Mermaid then keeps
straight."""
DECODER_RANKS = 3
"""Number of ranks from the end of an encoder to the first box of its decoder."""


@dataclass(frozen=True)
class OpenEnd:
    """A line to the next part, whose end isn't known yet; attributes as in :class:`.Connection`."""

    start: End
    label: Line = ()
    is_label_left: bool = False
    column: Box | None = None

    def to(self, end: End, course: Course = Course.ACROSS) -> Connection:
        """The line to a box or joint; it is invisible below a heading."""
        begins_branch = self.start.kind in {JointKind.FORK, JointKind.EITHER}
        column = end if begins_branch and isinstance(end, Box) else self.column
        return Connection(
            self.start,
            end,
            self.label,
            course,
            LineKind.GUIDE if self.start.kind is BoxKind.HEADING else LineKind.FLOW,
            is_label_left=self.is_label_left,
            column=column,
        )


Ends = tuple[OpenEnd, ...]
"""Lines to the next part, whose ends aren't known yet."""


@dataclass(frozen=True)
class LastLine:
    """Last line of a branch in a fork.

    Attributes:
        line: the line.
        stretched: index, in the lines of the collector, of the line that becomes longer if other
            branches are longer than this one; None for the last line itself.
    """

    line: Connection
    stretched: int | None = None


@dataclass
class LineCollector:
    """Collects lines in the order of Mermaid's layout, from left to right.

    Attributes:
        is_down: the diagram runs down, not to the right.
        readers: boxes that read the encoder.
        lines: the lines so far.
        numbers: numbers of the next joints.
        cluster: id of the cluster that Mermaid frames around the next joints.
        encoder: ends of the encoder, if there is one.
    """

    is_down: bool
    readers: tuple[Box, ...]
    lines: list[Connection] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    cluster: str = ""
    encoder: Ends = ()

    def add_box(self, ends: Ends, box: Box) -> Ends:
        """Add the lines from the open ends, and from the encoder, to a box; return its ends."""
        if box.reads == ():  # it begins a decoder
            self.encoder = self._begin_decoder(ends, box) if self.is_down else ends
        elif box.reads:  # it reads only the encoder: guides keep it in its branch
            for end in ends:
                self.add_guide(end.start, box)
        else:
            self.lines += [end.to(box) for end in ends]
        if box in self.readers:
            self._add_line_from_encoder(box)
        return (OpenEnd(box, box.output),)

    def _begin_decoder(self, ends: Ends, first: Box) -> Ends:
        """Add guides that keep a decoder's first box below the encoder; return the encoder's ends.

        The ends are those of the joint below the encoder. Beside another pipeline, no box reads
        them, and the guide has as many ranks as the line beside it.
        """
        if not self.readers:
            for end in ends:
                self.add_guide(end.start, first)
            return ends
        below = self.join(ends)
        for reader in self.readers:
            self.add_guides(below, reader, TWO_RANKS)
        self.add_guide(below, first, DECODER_RANKS)
        return (OpenEnd(below),)

    def _add_line_from_encoder(self, reader: Box) -> None:
        """Add the line from the encoder to a box, around the decoder's boxes between them."""
        if not self.is_down:  # the decoder's boxes are beside the encoder's
            self.lines += [end.to(reader) for end in self.encoder]
            return
        corner = self.join(self.encoder)
        course = Course.ACROSS if reader.reads else Course.ALONG
        self.lines.append(Connection(corner, reader, course=course, length=TWO_RANKS))

    def new_joint(self, kind: JointKind, text: str = "") -> Joint:
        """A new joint, with a text if it is the fork of alternatives."""
        return Joint(f"{kind.value}_{next(self.numbers)}", kind, self.cluster, text)

    def join(
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
        """Add guides on one side of a chain, to balance a bypass on its other side."""
        middle = self.new_joint(JointKind.GUIDE)
        self.add_guide(start, middle)
        self.add_guide(middle, end, length)

    def add_bypass(self, start: End, end: End) -> None:
        """Add a line past a chain: it leaves across, turns, and comes back across."""
        corner = self.join((OpenEnd(start),))
        self.lines.append(Connection(corner, end, course=Course.ALONG))

    def end_branches(
        self, end: End, last_lines: Sequence[LastLine], before: int, level: Box | None = None
    ) -> None:
        """Add the last line of each branch; all end at the same rank.

        Args:
            end: common end of the branches.
            last_lines: these lines.
            before: number of lines before the branches.
            level: the box after a router; stretched lines become so long that the last boxes of
                their branches are level with it. None without a router.
        """
        ranks = ranks_of([*self.lines[before:], *(last.line for last in last_lines)])
        for last in last_lines:
            length = ranks[end] - ranks[last.line.start]
            if last.stretched is not None and level:
                stretched = self.lines[last.stretched]
                longer = min(length - 1, max(ranks[level] - ranks[last.line.start], 0))
                length -= longer
                added = min(stretched.length + longer, MAX_RANKS)
                self.lines[last.stretched] = replace(stretched, length=added)
            self.lines.append(replace(last.line, length=min(length, MAX_RANKS)))

    def frame_side(
        self, begin: Joint, end: Joint, ranks: int, title: Line = ()
    ) -> list[Connection]:
        """The lines of one side of a frame, with a title at its first line.

        Args:
            begin: joint at the top of the frame.
            end: joint at its bottom.
            ranks: number of ranks between them.
            title: title of the cluster, for the side on the left.
        """
        side = Connection(begin, end, kind=LineKind.FRAME)
        corner = self.new_joint(JointKind.FRAME)
        lines = [replace(side, end=corner, label=title)]
        remaining = max(ranks - 1, 1)
        while remaining > MAX_RANKS:
            previous, corner = corner, self.new_joint(JointKind.FRAME)
            lines.append(replace(side, start=previous, end=corner, length=MAX_RANKS))
            remaining -= MAX_RANKS
        lines.append(replace(side, start=corner, course=Course.ALONG, length=remaining))
        return lines
