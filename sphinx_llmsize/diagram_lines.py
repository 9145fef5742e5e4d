"""Lines of pipeline diagrams as Mermaid draws them: at right angles, through joints.

Mermaid has no lines with right angles between two boxes, and no positions. A line that turns
therefore ends in a joint, a point of Mermaid's layout, where another line begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_breadth import breadth_of
from sphinx_llmsize.diagram_connections import Connection, Course, End, ranks_of
from sphinx_llmsize.diagram_encoder_lines import TWO_RANKS, EncoderLines
from sphinx_llmsize.diagram_joints import Joint, JointKind
from sphinx_llmsize.diagram_line_collector import Ends, LastLine, OpenEnd
from sphinx_llmsize.diagram_tree import (
    Branch,
    Cluster,
    Fork,
    Gated,
    Part,
    Residual,
    after_gate,
    boxes_of,
)


def connections_of(
    parts: tuple[Part, ...], *, is_down: bool, has_frames: bool
) -> tuple[Connection, ...]:
    """Every line in the order of Mermaid's layout, from left to right.

    Args:
        parts: the parts of the diagram.
        is_down: the diagram runs down, not to the right.
        has_frames: lines also frame the clusters, if it runs down; see :class:`.Diagram`.
    """
    boxes = tuple(boxes_of(parts))
    readers = tuple(box for box in boxes if box.reads or box.also_reads)
    router = _LineRouter(is_down=is_down, has_frames=has_frames, readers=readers)
    router.connect((), parts)
    return tuple(router.lines)


@dataclass
class _LineRouter(EncoderLines):
    """Adds the lines of a diagram, part by part.

    Attributes:
        has_frames: lines frame the clusters.
        depth: number of forks around the next parts.
    """

    has_frames: bool = True
    depth: int = 0

    def connect(self, ends: Ends, parts: Iterable[Part]) -> Ends:
        """Add the lines from the open ends through the parts; return the new open ends."""
        for part in parts:
            if isinstance(part, Box):
                ends = self.add_box(ends, part)
            elif isinstance(part, Fork):
                ends = self._fork(ends, part)
            elif isinstance(part, Gated):
                ends = self._gated(ends, part)
            elif isinstance(part, Residual):
                ends = self._residual(ends, part)
            else:
                ends = self._cluster(ends, part)
        return ends

    def _residual(self, ends: Ends, part: Residual) -> Ends:
        """Add the parts, and a line past them to the sum."""
        begin = self.to_new_joint(ends, JointKind.DOT)
        self.add_guides(begin, part.addition)
        self._straight(begin, part.addition, part.parts)
        self.add_bypass(begin, part.addition)
        return (OpenEnd(part.addition, part.addition.output),)

    def _gated(self, ends: Ends, part: Gated) -> Ends:
        """Add the parts with the gate to their left, or with a line past them if there is none."""
        if part.is_narrow:
            return self._narrow(ends, part)
        begin, end = self.to_new_joint(ends, JointKind.DOT), self.new_joint(JointKind.JOINT)
        if part.gate:
            gate = self.connect((OpenEnd(begin),), part.gate)
            (first, *_others) = boxes_of(part.gate)
            self.lines += [last.to(end, Course.ALONG) for last in gate]
            self._straight(begin, end, part.parts)
            for _column in range(breadth_of(part.gate)):  # as much room on the other side
                self.add_guide(begin, end, TWO_RANKS, first)
        else:
            self.add_guides(begin, end)
            self._straight(begin, end, part.parts)
            self.add_bypass(begin, end)
        return (OpenEnd(end),)

    def _narrow(self, ends: Ends, part: Gated) -> Ends:
        """Add gate or parts at the left, and a line at the right; parts and gate stay in line."""
        if part.gate and part.parts:
            return self.connect(ends, (*part.parts, *part.gate))
        begin, end = self.to_new_joint(ends), self.new_joint(JointKind.JOINT)
        before = len(self.lines)
        steps = self.connect((OpenEnd(begin),), part.gate or part.parts)
        line = OpenEnd(self.to_new_joint((OpenEnd(begin),)))
        last_lines = [LastLine(each.to(end, Course.ALONG)) for each in (*steps, line)]
        self.end_branches(end, last_lines, before)
        return (OpenEnd(end),)

    def _straight(self, begin: Joint, end: End, parts: tuple[Part, ...]) -> None:
        """Add the parts on a straight line between two others."""
        self.lines += [last.to(end) for last in self.connect((OpenEnd(begin),), parts)]

    def _fork(self, ends: Ends, fork: Fork) -> Ends:
        """Add the branches between two joints, or between a joint and their sum."""
        if len(fork.branches) == 1:
            (branch,) = fork.branches
            ends = tuple(replace(end, label=branch.label or end.label) for end in ends)
            return self.connect(ends, branch.parts)
        if not ends:  # pipelines beside each other
            return tuple(end for branch in fork.branches for end in self.connect((), branch.parts))
        if any(branch.own_input for branch in fork.branches):
            begin, fork = self.new_joint(JointKind.GUIDE), _with_input(fork, ends[0].start)
        else:
            kind = JointKind.EITHER if fork.either else JointKind.FORK
            begin = self.to_new_joint(ends, kind, fork.either)
        addition = fork.addition
        end = addition or self.new_joint(JointKind.JOINT)
        if addition and len(fork.beside) % 2:
            self.add_mirroring_guides(begin, end, tuple(boxes_of(fork.beside[-1].parts)))
        self._branches(begin, end, fork)
        after = OpenEnd(end, addition.output if addition else ())
        # without one more rank within a fork, Mermaid moves what is around it sideways
        return (OpenEnd(self.to_new_joint((after,))),) if addition and self.depth else (after,)

    def _branches(self, begin: Joint, end: End, fork: Fork) -> None:
        """Add the branches; beside one with a gate, the others begin with a longer line."""
        before = len(self.lines)
        last_lines: list[LastLine] = []
        self.depth += 1
        for number, branch in enumerate(fork.from_left):
            is_left = 2 * (number + 1) <= len(fork.branches)
            after_own_gate = after_gate(branch.parts)
            start = OpenEnd(begin, branch.label, is_left, after_own_gate)
            is_beside_gate = after_gate((fork,)) and not after_own_gate
            if is_beside_gate:
                start = self._beside_gate(start, branch, fork)
            stretched = len(self.lines) if is_beside_gate else None
            is_straight = fork.addition and branch not in fork.at_sides
            course = Course.ACROSS if is_straight else Course.ALONG
            ends = self._branch(start, branch)
            last_lines += [LastLine(last.to(end, course), stretched) for last in ends]
        self.depth -= 1
        self.end_branches(end, last_lines, before)

    def _beside_gate(self, start: OpenEnd, branch: Branch, fork: Fork) -> OpenEnd:
        """The start of a branch in a fork with a gate in another branch, below the gate.

        There is as much room on both sides as the gate has, which keeps all lines straight. A fork
        within a fork doesn't have that room.
        """
        column = next(boxes_of(branch.parts))
        begin = self.to_new_joint((replace(start, column=column),))
        gates = [box for each in fork.branches for box in boxes_of(each.wide_gate)]
        if not gates or self.depth > 1:
            return OpenEnd(begin)
        end = self.new_joint(JointKind.JOINT)
        self.add_guide(begin, end, TWO_RANKS, gates[0])
        self.lines.append(Connection(begin, end, length=TWO_RANKS))
        self.add_guide(begin, end, TWO_RANKS, gates[0])
        return OpenEnd(end)

    def _branch(self, begin: OpenEnd, branch: Branch) -> Ends:
        """Add the parts of a branch; a guide keeps one without an input beside the others."""
        if branch.has_input and begin.start.kind is not JointKind.GUIDE:
            return self.connect((begin,), branch.parts)
        first, *others = branch.parts
        assert isinstance(first, Box)
        self.add_guide(begin.start, first, column=next(boxes_of(others), first))
        return self.connect((OpenEnd(first, first.output),), others)

    def _cluster(self, ends: Ends, part: Cluster) -> Ends:
        """Add the parts between two joints, from which the sides of the frame run across."""
        if not self.has_frames:
            self.cluster = part.id
            if self.is_down:
                ends = (OpenEnd(self.to_new_joint(ends), (part.title,)),)
            ends = self.connect(ends, part.parts)
            self.cluster = ""
            return ends
        begin, end = self.to_new_joint(ends, JointKind.FRAME), self.new_joint(JointKind.FRAME)
        title, before = (part.title,), len(self.lines)
        start = OpenEnd(begin, title, is_label_left=True)
        self.lines += [last.to(end) for last in self.connect((start,), part.parts)]
        ranks = ranks_of(self.lines[before:])[end]
        # Mermaid places lines from left to right: one side before the parts, one after them
        self.lines[before:before] = self.frame_side(begin, end, ranks, title)
        self.lines += self.frame_side(begin, end, ranks)
        return (OpenEnd(end),)


def _with_input(fork: Fork, first: End) -> Fork:
    """The fork, with the input before it in the branches that read it, beside other inputs."""
    assert isinstance(first, Box)
    branches = (
        replace(branch, parts=(first, *branch.parts)) if branch.has_input else branch
        for branch in fork.branches
    )
    return replace(fork, branches=tuple(branches))
