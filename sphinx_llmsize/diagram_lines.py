"""Lines of pipeline diagrams as Mermaid draws them: at right angles, through joints.

Mermaid has no lines with right angles and no positions. A line that turns therefore ends in a
joint, a point of Mermaid's layout, where another line begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_connections import Connection, Course, End, LineKind, guide, ranks_of
from sphinx_llmsize.diagram_joints import Joint, JointKind
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Part, Residual, boxes_of
from sphinx_llmsize.inline import Line

GATE_RANKS = 3
"""Number of ranks from the joint before a gate to the box behind it."""
TWO_RANKS = 2
"""Length of a line that Mermaid keeps straight where a residual connection crosses it."""
DECODER_RANKS = 3
"""Number of ranks from an encoder to its decoder, which isn't the next step."""
MOST_RANKS = 10
"""Largest length of a line that Mermaid takes."""


def connections_of(
    parts: tuple[Part, ...], *, is_down: bool, has_frames: bool
) -> tuple[Connection, ...]:
    """Every line, of which those to the left come first, as in Mermaid's layout.

    Args:
        parts: the parts of the diagram.
        is_down: the diagram runs down, not to the right.
        has_frames: lines frame the clusters; Mermaid's own frames move boxes of one width sideways.
    """
    found = _Connections(tuple(boxes_of(parts)), is_down, has_frames)
    found.connect((), parts)
    return tuple(found.found)


@dataclass(frozen=True)
class _OpenEnd:
    """Start of a line whose end isn't known yet; the attributes are those of the line."""

    box: End
    label: Line = ()
    is_label_left: bool = False
    column: Box | None = None
    length: int = 1

    def to(self, end: End, course: Course = Course.ACROSS) -> Connection:
        """The line to a box."""
        is_first = self.box.kind is JointKind.FORK
        column = end if is_first and isinstance(end, Box) else self.column
        return Connection(
            self.box,
            end,
            self.label,
            course,
            is_label_left=self.is_label_left,
            length=self.length,
            column=column,
        )


@dataclass
class _Connections:
    """Collects the lines of a diagram.

    Attributes:
        boxes: every box.
        is_down: the diagram runs down.
        has_frames: lines frame the clusters.
        found: the lines so far.
        encoder: ends of the encoder, if there is one.
        numbers: numbers of the next joints.
        cluster: id of the cluster that Mermaid frames around the next joints.
    """

    boxes: tuple[Box, ...]
    is_down: bool
    has_frames: bool
    found: list[Connection] = field(default_factory=list)
    encoder: tuple[_OpenEnd, ...] = ()
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    cluster: str = ""

    def connect(self, ends: tuple[_OpenEnd, ...], parts: Iterable[Part]) -> tuple[_OpenEnd, ...]:
        """Add the lines from the open ends through the parts; return the new open ends."""
        for part in parts:
            if isinstance(part, Box):
                ends = self._box(ends, part)
            elif isinstance(part, Fork):
                ends = self._fork(ends, part)
            elif isinstance(part, Residual):
                ends = self._residual(ends, part)
            else:
                ends = self._cluster(ends, part)
        return ends

    def _box(self, ends: tuple[_OpenEnd, ...], box: Box) -> tuple[_OpenEnd, ...]:
        if box.reads == ():
            self.encoder = self._begin_decoder(ends, box) if self.is_down else ends
        elif box.reads:  # only the encoder's line ends there, but the box stands in its branch
            self.found += [guide(end.box, box) for end in ends]
        else:
            self.found += [end.to(box) for end in ends]
        if box in self._readers:
            self._read_encoder(box)
        return (_OpenEnd(box, box.output),)

    def _begin_decoder(self, ends: tuple[_OpenEnd, ...], first: Box) -> tuple[_OpenEnd, ...]:
        """Guides that keep the first box of a decoder below the encoder; return its ends."""
        if any(end.label or isinstance(end.box, Joint) for end in ends):
            ends = (_OpenEnd(self._joint(ends)),)  # below the text, or the frame
        for end in ends:
            for reader in self._readers:
                self._balance(end.box, reader, TWO_RANKS)
            self.found.append(guide(end.box, first, DECODER_RANKS))
        return ends

    def _read_encoder(self, reader: Box) -> None:
        """The line from the encoder to a box, around the decoder's boxes between them."""
        if not self.is_down:  # the decoder's boxes are beside the encoder's
            self.found += [end.to(reader) for end in self.encoder]
            return
        corner = self._joint(self.encoder)
        course = Course.ACROSS if reader.reads else Course.ALONG
        self.found.append(Connection(corner, reader, course=course, length=TWO_RANKS))

    @property
    def _readers(self) -> list[Box]:
        """Boxes that read the encoder."""
        return [box for box in self.boxes if box.reads or box.also_reads]

    def _fork(self, ends: tuple[_OpenEnd, ...], fork: Fork) -> tuple[_OpenEnd, ...]:
        """The branches between two joints, or a joint and their sum, with lines across to each."""
        if len(fork.branches) == 1:
            (branch,) = fork.branches
            ends = tuple(replace(end, label=branch.label or end.label) for end in ends)
            return self.connect(ends, branch.parts)
        if not ends:  # pipelines beside each other
            return tuple(end for branch in fork.branches for end in self.connect((), branch.parts))
        begin = self._joint(ends, JointKind.JOINT if fork.is_gate else JointKind.FORK)
        # a sum without inputs at its sides is behind the joint, where one line ends in it
        addition = fork.addition if fork.beside else None
        end = addition or self._new(JointKind.JOINT)
        if addition and len(fork.beside) % 2:
            (opposite, *_others) = boxes_of(fork.beside[-1].parts)
            self._balance(begin, end, column=opposite)
        before = len(self.found)
        joining: list[Connection] = []
        for number, branch in enumerate(fork.from_left):
            is_left = 2 * (number + 1) <= len(fork.branches)
            start = _OpenEnd(begin, branch.label, is_left)
            if fork.forks_to_gate:
                start = self._beside_gate(start, branch, fork.forks_to_gate)
            passed = self._branch(start, branch)
            is_straight = addition and branch.has_input
            course = Course.ACROSS if is_straight else Course.ALONG
            joining += [last.to(end, course) for last in passed]
        ranks = ranks_of([*self.found[before:], *joining])
        for line in joining:  # as long as needed for the branches to begin together
            length = min(ranks[end] - ranks[line.start], MOST_RANKS)
            self.found.append(replace(line, length=length))
        if fork.addition and not addition:
            return self._box((_OpenEnd(end),), fork.addition)
        return (_OpenEnd(end, addition.output if addition else ()),)

    def _beside_gate(self, start: _OpenEnd, branch: Branch, forks: int) -> _OpenEnd:
        """The start of a branch in a fork with a gate at the beginning of a branch.

        Other branches begin with a line to a joint, which has room beside that to the gate, and end
        beside the box behind the gate. ``forks`` is the number of forks up to the gate.
        """
        if branch.forks_to_gate > 1 or not branch.parts:
            return start
        column = next(boxes_of(branch.parts[branch.forks_to_gate :]))
        start = replace(start, column=column, length=1 if branch.forks_to_gate else 2 * forks - 1)
        if branch.forks_to_gate:
            return start
        length = GATE_RANKS + 2 - forks - len(branch.parts)
        return _OpenEnd(self._joint((start,)), length=max(length, 1))

    def _branch(self, begin: _OpenEnd, branch: Branch) -> tuple[_OpenEnd, ...]:
        """The parts of a branch; a guide keeps one without an input beside the others."""
        if not branch.parts:
            return (_OpenEnd(self._joint((begin,))),)
        if branch.has_input:
            return self.connect((begin,), branch.parts)
        first, *others = branch.parts
        assert isinstance(first, Box)
        self.found.append(guide(begin.box, first, column=first))
        return self.connect((_OpenEnd(first, first.output),), others)

    def _residual(self, ends: tuple[_OpenEnd, ...], part: Residual) -> tuple[_OpenEnd, ...]:
        """The parts, with a line around them that leaves the flow at a dot and turns twice."""
        begin = self._joint(ends, JointKind.DOT)
        self._balance(begin, part.addition)
        passed = self.connect((_OpenEnd(begin),), part.parts)
        self.found += [end.to(part.addition) for end in passed]
        corner = self._joint((_OpenEnd(begin),))
        self.found.append(Connection(corner, part.addition, course=Course.ALONG))
        return (_OpenEnd(part.addition, part.addition.output),)

    def _cluster(self, ends: tuple[_OpenEnd, ...], part: Cluster) -> tuple[_OpenEnd, ...]:
        """The parts between two joints, from which the sides of the frame run across."""
        if not self.has_frames:
            self.cluster = part.id
            ends = (_OpenEnd(self._joint(ends), (part.title,)),) if self.is_down else ends
            ends = self.connect(ends, part.parts)
            self.cluster = ""
            return ends
        begin, end = self._joint(ends, JointKind.FRAME), self._new(JointKind.FRAME)
        title, before = (part.title,), len(self.found)
        passed = self.connect((_OpenEnd(begin, title, is_label_left=True),), part.parts)
        self.found += [last.to(end) for last in passed]
        ranks = ranks_of(self.found[before:])[end]
        # Mermaid places lines from left to right: one side before the parts, one after them
        self.found[before:before] = self._side(begin, end, ranks, title)
        self.found += self._side(begin, end, ranks)
        return (_OpenEnd(end),)

    def _side(self, begin: Joint, end: Joint, ranks: int, title: Line = ()) -> Iterator[Connection]:
        """The lines of a side of a frame with a number of ranks, below its title."""
        side = Connection(begin, end, kind=LineKind.FRAME)
        corner = self._new(JointKind.FRAME)
        yield replace(side, end=corner, label=title)
        rest = max(ranks - 1, 1)
        while rest > MOST_RANKS:
            last, corner = corner, self._new(JointKind.FRAME)
            yield replace(side, start=last, end=corner, length=MOST_RANKS)
            rest -= MOST_RANKS
        yield replace(side, start=corner, course=Course.ALONG, length=rest)

    def _balance(self, start: End, end: End, length: int = 1, column: Box | None = None) -> None:
        """Guides to the left of a chain, which balance a line that turns to the right of it."""
        balance = self._new(JointKind.GUIDE)
        self.found += [guide(start, balance, column=column), guide(balance, end, length=length)]

    def _joint(self, ends: Iterable[_OpenEnd], kind: JointKind = JointKind.JOINT) -> Joint:
        """Add lines to a new joint, and return it."""
        joint = self._new(kind)
        self.found += [end.to(joint) for end in ends]
        return joint

    def _new(self, kind: JointKind) -> Joint:
        return Joint(f"{kind.value}_{next(self.numbers)}", kind, self.cluster)
