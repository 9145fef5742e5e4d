"""Lines of pipeline diagrams as Mermaid draws them: at right angles, through joints.

Mermaid has no lines with right angles between two boxes, and no positions. A line that turns
therefore ends in a joint, a point of Mermaid's layout, where another line begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_connections import Connection, Course, End, ranks_of
from sphinx_llmsize.diagram_joints import Joint, JointKind
from sphinx_llmsize.diagram_line_ends import Lines, OpenEnd
from sphinx_llmsize.diagram_tree import (
    Branch,
    Cluster,
    Fork,
    Gated,
    Part,
    Residual,
    behind_gate,
    boxes_of,
    breadth_of,
)

TWO_RANKS = 2
"""Length of a line beside a gate, or one that Mermaid keeps straight where another crosses it."""
DECODER_RANKS = 3
"""Number of ranks from an encoder to its decoder, which isn't the next step."""

Ends = tuple[OpenEnd, ...]
"""Starts of the lines to the next part."""


def connections_of(
    parts: tuple[Part, ...], *, is_down: bool, has_frames: bool
) -> tuple[Connection, ...]:
    """Every line, of which those to the left come first, as in Mermaid's layout.

    Args:
        parts: the parts of the diagram.
        is_down: the diagram runs down, not to the right.
        has_frames: lines also frame the clusters, if it runs down. Mermaid's own frames move boxes
            of the same width sideways, and others in line.
    """
    boxes = tuple(boxes_of(parts))
    readers = tuple(box for box in boxes if box.reads or box.also_reads)
    lines = _Connections(is_down=is_down, has_frames=has_frames, readers=readers)
    lines.connect((), parts)
    return tuple(lines.found)


@dataclass
class _Connections(Lines):
    """Adds the lines of a diagram, part by part.

    Attributes:
        is_down: the diagram runs down.
        has_frames: lines frame the clusters.
        readers: boxes that read the encoder.
        encoder: ends of the encoder, if there is one.
        depth: number of forks around the next parts.
    """

    is_down: bool = True
    has_frames: bool = True
    readers: tuple[Box, ...] = ()
    encoder: Ends = ()
    depth: int = 0

    def connect(self, ends: Ends, parts: Iterable[Part]) -> Ends:
        """Add the lines from the open ends through the parts; return the new open ends."""
        for part in parts:
            if isinstance(part, Box):
                ends = self._box(ends, part)
            elif isinstance(part, Fork):
                ends = self._fork(ends, part)
            elif isinstance(part, Gated):
                ends = self._gated(ends, part)
            elif isinstance(part, Residual):
                ends = self._residual(ends, part)
            else:
                ends = self._cluster(ends, part)
        return ends

    def _box(self, ends: Ends, box: Box) -> Ends:
        if box.reads == ():
            self.encoder = self._begin_decoder(ends, box) if self.is_down else ends
        elif box.reads:  # only the encoder's line ends there, but the box stands in its branch
            for end in ends:
                self.guide(end.box, box)
        else:
            self.found += [end.to(box) for end in ends]
        if box in self.readers:
            self._read_encoder(box)
        return (OpenEnd(box, box.output),)

    def _begin_decoder(self, ends: Ends, first: Box) -> Ends:
        """Guides that keep the first box of a decoder below the encoder; return its ends."""
        below = self.joint(ends)
        for reader in self.readers:
            self.balance(below, reader, TWO_RANKS)
        self.guide(below, first, DECODER_RANKS)
        return (OpenEnd(below),)

    def _read_encoder(self, reader: Box) -> None:
        """The line from the encoder to a box, around the decoder's boxes between them."""
        if not self.is_down:  # the decoder's boxes are beside the encoder's
            self.found += [end.to(reader) for end in self.encoder]
            return
        corner = self.joint(self.encoder)
        course = Course.ACROSS if reader.reads else Course.ALONG
        self.found.append(Connection(corner, reader, course=course, length=TWO_RANKS))

    def _residual(self, ends: Ends, part: Residual) -> Ends:
        """The parts, with a line past them to the sum."""
        begin = self.joint(ends, JointKind.DOT)
        self.balance(begin, part.addition)
        self._straight(begin, part.addition, part.parts)
        self.rail(begin, part.addition)
        return (OpenEnd(part.addition, part.addition.output),)

    def _gated(self, ends: Ends, part: Gated) -> Ends:
        """The parts, with the gate to their left, or a line past them if there is none."""
        if part.is_narrow:
            return self._narrow(ends, part)
        begin, end = self.joint(ends, JointKind.DOT), self.new(JointKind.JOINT)
        if part.gate:
            gate = self.connect((OpenEnd(begin),), part.gate)
            (first, *_others) = boxes_of(part.gate)
            self.found += [last.to(end, Course.ALONG) for last in gate]
            self._straight(begin, end, part.parts)
            for _column in range(breadth_of(part.gate)):  # as much room on the other side
                self.guide(begin, end, TWO_RANKS, first)
        else:
            self.balance(begin, end)
            self._straight(begin, end, part.parts)
            self.rail(begin, end)
        return (OpenEnd(end),)

    def _narrow(self, ends: Ends, part: Gated) -> Ends:
        """The gate or the parts at the left, a line at the right; in line if there are both."""
        if part.gate and part.parts:
            return self.connect(ends, (*part.parts, *part.gate))
        begin, end = self.joint(ends), self.new(JointKind.JOINT)
        before = len(self.found)
        passed = self.connect((OpenEnd(begin),), part.gate or part.parts)
        joining = [*passed, OpenEnd(self.joint((OpenEnd(begin),)))]
        self.join(end, [(each.to(end, Course.ALONG), None) for each in joining], before)
        return (OpenEnd(end),)

    def _straight(self, begin: Joint, end: End, parts: tuple[Part, ...]) -> None:
        """The parts on a straight line, which stands between others."""
        self.found += [last.to(end) for last in self.connect((OpenEnd(begin),), parts)]

    def _fork(self, ends: Ends, fork: Fork) -> Ends:
        """The branches between a joint and another or their sum, with lines across to each."""
        if len(fork.branches) == 1:
            (branch,) = fork.branches
            ends = tuple(replace(end, label=branch.label or end.label) for end in ends)
            return self.connect(ends, branch.parts)
        if not ends:  # pipelines beside each other
            return tuple(end for branch in fork.branches for end in self.connect((), branch.parts))
        if any(branch.own_input for branch in fork.branches):
            begin, fork = self.new(JointKind.GUIDE), _with_input(fork, ends[0].box)
        else:
            kind = JointKind.EITHER if fork.either else JointKind.FORK
            begin = self.joint(ends, kind, fork.either)
        addition = fork.addition
        end = addition or self.new(JointKind.JOINT)
        if addition and len(fork.beside) % 2:
            self.mirror(begin, end, tuple(boxes_of(fork.beside[-1].parts)))
        self._branches(begin, end, fork)
        behind = OpenEnd(end, addition.output if addition else ())
        # without one more rank within a fork, Mermaid moves what is around it sideways
        return (OpenEnd(self.joint((behind,))),) if addition and self.depth else (behind,)

    def _branches(self, begin: Joint, end: End, fork: Fork) -> None:
        """The branches, which begin together; those beside one with a gate end together."""
        before = len(self.found)
        joining: list[tuple[Connection, int | None]] = []
        self.depth += 1
        for number, branch in enumerate(fork.from_left):
            is_left = 2 * (number + 1) <= len(fork.branches)
            behind = behind_gate(branch.parts)
            start = OpenEnd(begin, branch.label, is_left, behind)
            hangs = behind_gate((fork,)) and not behind
            if hangs:
                start = self._beside_gate(start, branch, fork)
            place = len(self.found) if hangs else None
            is_straight = fork.addition and branch not in fork.at_sides
            course = Course.ACROSS if is_straight else Course.ALONG
            joining += [(last.to(end, course), place) for last in self._branch(start, branch)]
        self.depth -= 1
        self.join(end, joining, before)

    def _beside_gate(self, start: OpenEnd, branch: Branch, fork: Fork) -> OpenEnd:
        """The start of a branch in a fork with a gate in another branch, below the gate.

        There is as much room on both sides as the gate has, which keeps all lines straight. A fork
        within a fork doesn't have that room.
        """
        column = next(boxes_of(branch.parts))
        begin = self.joint((replace(start, column=column),))
        gates = [box for each in fork.branches for box in boxes_of(each.wide_gate)]
        if not gates or self.depth > 1:
            return OpenEnd(begin)
        end = self.new(JointKind.JOINT)
        self.guide(begin, end, TWO_RANKS, gates[0])
        self.found.append(Connection(begin, end, length=TWO_RANKS))
        self.guide(begin, end, TWO_RANKS, gates[0])
        return OpenEnd(end)

    def _branch(self, begin: OpenEnd, branch: Branch) -> Ends:
        """The parts of a branch; a guide keeps one without an input beside the others."""
        if branch.has_input and begin.box.kind is not JointKind.GUIDE:
            return self.connect((begin,), branch.parts)
        first, *others = branch.parts
        assert isinstance(first, Box)
        self.guide(begin.box, first, column=next(boxes_of(others), first))
        return self.connect((OpenEnd(first, first.output),), others)

    def _cluster(self, ends: Ends, part: Cluster) -> Ends:
        """The parts between two joints, from which the sides of the frame run across."""
        if not self.has_frames:
            self.cluster = part.id
            if self.is_down:
                ends = (OpenEnd(self.joint(ends), (part.title,)),)
            ends = self.connect(ends, part.parts)
            self.cluster = ""
            return ends
        begin, end = self.joint(ends, JointKind.FRAME), self.new(JointKind.FRAME)
        title, before = (part.title,), len(self.found)
        passed = self.connect((OpenEnd(begin, title, is_label_left=True),), part.parts)
        self.found += [last.to(end) for last in passed]
        ranks = ranks_of(self.found[before:])[end]
        # Mermaid places lines from left to right: one side before the parts, one after them
        self.found[before:before] = self.frame_side(begin, end, ranks, title)
        self.found += self.frame_side(begin, end, ranks)
        return (OpenEnd(end),)


def _with_input(fork: Fork, first: End) -> Fork:
    """The fork, with the input before it in the branch that reads it, beside other inputs."""
    assert isinstance(first, Box)
    branches = (
        replace(branch, parts=(first, *branch.parts)) if branch.has_input else branch
        for branch in fork.branches
    )
    return replace(fork, branches=tuple(branches))
