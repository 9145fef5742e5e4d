"""Lines of pipeline diagrams as Mermaid draws them: at right angles, through joints.

Mermaid has no lines with right angles between two boxes, and no positions. A line that turns
therefore ends in a joint, a point of Mermaid's layout, where another line begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_breadth import breadth_of
from sphinx_llmsize.diagram_connections import Connection, Course, End, ranks_of, with_sides
from sphinx_llmsize.diagram_joints import Joint, JointKind
from sphinx_llmsize.diagram_line_collector import (
    TWO_RANKS,
    Ends,
    LastLine,
    LineCollector,
    OpenEnd,
)
from sphinx_llmsize.diagram_tree import (
    Branch,
    Cluster,
    Fork,
    Gated,
    Part,
    Residual,
    after_router,
    boxes_of,
)

PAIR = 2
"""Number of branches whose sum is between them, even if one reads an input of the model: the lines
past residual connections below it are then in one lane."""


def connections_of(
    parts: tuple[Part, ...], *, is_down: bool, has_frames: bool
) -> tuple[Connection, ...]:
    """Every line in the order of Mermaid's layout, from left to right.

    Args:
        parts: the parts of the diagram.
        is_down: the diagram runs down, not to the right.
        has_frames: lines also frame the clusters; only in a diagram that runs down.
    """
    readers = tuple(box for box in boxes_of(parts) if box.reads or box.also_reads)
    router = _LineRouter(is_down=is_down, has_frames=has_frames, readers=readers)
    router.connect((), parts)
    return with_sides(router.lines) if is_down else tuple(router.lines)


@dataclass
class _LineRouter(LineCollector):
    """Collects the lines of a diagram, part by part.

    Attributes:
        has_frames: lines also frame the clusters.
        depth: number of forks around the next parts.
        is_balanced: a branch to the right of the next parts balances their lines.
    """

    has_frames: bool = False
    depth: int = 0
    is_balanced: bool = False

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
        begin = self.join(ends, JointKind.DOT)
        self._bypassed(begin, part.addition, part.parts)
        return (OpenEnd(part.addition, part.addition.output),)

    def _gated(self, ends: Ends, part: Gated) -> Ends:
        """Add the parts with the gate to their left, or with a line past them if there is none."""
        if part.is_narrow:
            return self._narrow_gated(ends, part)
        begin = self.join(ends, JointKind.DOT)
        end = self.new_joint(JointKind.JOINT)
        if not part.gate:
            self._bypassed(begin, end, part.parts)
            return (OpenEnd(end),)
        gate_ends = self.connect((OpenEnd(begin),), part.gate)
        self.lines += [last.to(end, Course.ALONG) for last in gate_ends]
        self._straight(begin, end, part.parts)
        first_box = next(boxes_of(part.gate))
        for _column in range(breadth_of(part.gate)):  # the same width on the other side
            self.add_guide(begin, end, TWO_RANKS, first_box)
        return (OpenEnd(end),)

    def _narrow_gated(self, ends: Ends, part: Gated) -> Ends:
        """Add the parts and then the gate; without one, add the parts with a line beside them."""
        if part.gate:
            return self.connect(ends, (*part.parts, *part.gate))
        begin = self.join(ends)
        end = self.new_joint(JointKind.JOINT)
        before = len(self.lines)
        steps = self.connect((OpenEnd(begin),), part.parts)
        line = OpenEnd(self.join((OpenEnd(begin),)))
        last_lines = [LastLine(each.to(end, Course.ALONG)) for each in (*steps, line)]
        self.end_branches(end, last_lines, before)
        return (OpenEnd(end),)

    def _bypassed(self, begin: Joint, end: End, parts: tuple[Part, ...]) -> None:
        """Add the parts on a straight line, and a line past them."""
        if not self.is_balanced:
            self.add_guides(begin, end)
        self._straight(begin, end, parts)
        self.add_bypass(begin, end)

    def _straight(self, begin: Joint, end: End, parts: tuple[Part, ...]) -> None:
        """Add the parts on a straight line."""
        self.lines += [last.to(end) for last in self.connect((OpenEnd(begin),), parts)]

    def _fork(self, ends: Ends, fork: Fork) -> Ends:
        """Add the branches between two joints, or between a joint and their sum."""
        if len(fork.branches) == 1:
            (branch,) = fork.branches
            ends = tuple(replace(end, label=branch.label or end.label) for end in ends)
            return self.connect(ends, branch.parts)
        if not ends:  # pipelines beside each other
            return tuple(end for branch in fork.branches for end in self.connect((), branch.parts))
        if any(branch.begins_with_input for branch in fork.branches):
            begin = self.new_joint(JointKind.GUIDE)
            fork = _with_input(fork, ends[0].start)
        else:
            kind = JointKind.EITHER if fork.either else JointKind.FORK
            begin = self.join(ends, kind, fork.either)
        if fork.addition:
            return self._sum(begin, fork.addition, fork)
        end = self.new_joint(JointKind.JOINT)
        self._branches(begin, end, fork)
        return (OpenEnd(end),)

    def _sum(self, begin: Joint, addition: Box, fork: Fork) -> Ends:
        """Add the branches between a joint and their sum."""
        self._branches(begin, addition, fork)
        after = OpenEnd(addition, addition.output)
        if self.depth:  # without one more rank, Mermaid moves what is around the fork sideways
            after = OpenEnd(self.join((after,)))
        return (after,)

    def _branches(self, begin: Joint, end: End, fork: Fork) -> None:
        """Add the branches; some begin with a longer line.

        Beside one with a router, shorter ones then end level with the experts. To the right of one
        that begins with a residual connection, they begin below the line past it.
        """
        before = len(self.lines)
        at_sides = fork.branches if len(fork.branches) == PAIR else fork.ending_at_sides
        level = next(filter(None, (after_router(branch.parts) for branch in fork.branches)), None)
        most_boxes = max(len(branch.boxes) for branch in fork.branches)
        last_lines: list[LastLine] = []
        self.depth, was_balanced = self.depth + 1, self.is_balanced
        for number, branch in enumerate(fork.from_left):
            is_left = 2 * (number + 1) <= len(fork.branches)
            column = after_router(branch.parts)
            start = OpenEnd(begin, branch.label, is_left, column)
            stretched = None
            is_shorter = level and len(branch.boxes) < most_boxes
            if is_shorter or _is_beside_residual(branch, fork.from_left[:number]):
                start = OpenEnd(self.join((replace(start, column=branch.boxes[0]),)))
                stretched = len(self.lines) if is_shorter else None
            ends_above = fork.addition and branch not in at_sides
            course = Course.ACROSS if ends_above else Course.ALONG
            self.is_balanced = was_balanced or number < len(fork.branches) - 1
            ends = self._branch(start, branch)
            last_lines += [LastLine(last.to(end, course), stretched) for last in ends]
        self.depth, self.is_balanced = self.depth - 1, was_balanced
        self.end_branches(end, last_lines, before, level)

    def _branch(self, begin: OpenEnd, branch: Branch) -> Ends:
        """Add the parts of a branch; a guide keeps a side branch beside the others."""
        if branch.reads_input and begin.start.kind is not JointKind.GUIDE:
            return self.connect((begin,), branch.parts)
        first, *others = branch.parts
        assert isinstance(first, Box)
        # inputs of the model are narrower than steps, so that the second box sets the width
        self.add_guide(begin.start, first, column=next(boxes_of(others), first))
        return self.connect((OpenEnd(first, first.output),), others)

    def _cluster(self, ends: Ends, part: Cluster) -> Ends:
        """Add the parts between two joints, from which the sides of the frame run across.

        An empty space has as many ranks, but neither a frame nor a title.
        """
        if part.is_missing:
            ends = self.connect((OpenEnd(self.join(ends)),), part.parts)
            return (OpenEnd(self.join(ends)),) if self.has_frames else ends
        if not self.has_frames:
            self.cluster = part.id
            if self.is_down:
                ends = (OpenEnd(self.join(ends), (part.title,)),)
            ends = self.connect(ends, part.parts)
            self.cluster = ""
            return ends
        begin = self.join(ends, JointKind.FRAME)
        end = self.new_joint(JointKind.FRAME)
        title = (part.title,)
        before = len(self.lines)
        start = OpenEnd(begin, title, is_label_left=True)
        self.lines += [last.to(end) for last in self.connect((start,), part.parts)]
        ranks = ranks_of(self.lines[before:])[end]
        # Mermaid places lines from left to right: one side before the parts, one after them
        self.lines[before:before] = self.frame_side(begin, end, ranks, title)
        self.lines += self.frame_side(begin, end, ranks)
        return (OpenEnd(end),)


def _is_beside_residual(branch: Branch, to_its_left: Iterable[Branch]) -> bool:
    """True if a branch to the left begins with a residual connection, and this one doesn't."""
    if isinstance(branch.parts[0], Residual):
        return False
    return any(isinstance(other.parts[0], Residual) for other in to_its_left)


def _with_input(fork: Fork, first: End) -> Fork:
    """The fork; branches that read its input begin with it, as others begin with their inputs."""
    assert isinstance(first, Box)
    branches: list[Branch] = []
    for branch in fork.branches:
        parts = (first, *branch.parts) if branch.reads_input else branch.parts
        branches.append(replace(branch, parts=parts))
    return replace(fork, branches=tuple(branches))
