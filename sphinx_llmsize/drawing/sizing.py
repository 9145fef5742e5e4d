"""Computation of the sizes of a diagram's boxes, forks and clusters, without positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Gated, Part, Residual, boxes_of
from sphinx_llmsize.drawing.common_sizes import common_rows, steps_in_line
from sphinx_llmsize.drawing.levelled_branches import levelled
from sphinx_llmsize.drawing.orientation import GAP, Orientation, Room
from sphinx_llmsize.drawing.picture import LINE_HEIGHT
from sphinx_llmsize.drawing.sized_parts import (
    Chain,
    SizedBox,
    SizedBranch,
    SizedCluster,
    SizedFork,
    SizedGated,
    SizedPart,
    SizedResidual,
    with_common_bypass,
)
from sphinx_llmsize.drawing.spacing import (
    ARROW,
    CLUSTER_MARGIN,
    CLUSTER_PADDING,
    JOIN,
    LEAD,
    NO_STRETCH,
    RADIUS,
    SPREAD,
    TITLE_GAP,
    UNLABELLED_LINE,
    Padding,
    Spacing,
    Stretches,
    spacing,
)
from sphinx_llmsize.drawing.text_runs import Runs, line_width, wrapped_runs
from sphinx_llmsize.drawing.text_width import text_width, wrapped
from sphinx_llmsize.drawing.wrapped_box_text import box_texts
from sphinx_llmsize.inline import Line
from sphinx_llmsize.picture_widths import WIDE


@dataclass(frozen=True)
class Sizing:
    """Computes the sizes of the parts of a diagram.

    Attributes:
        orientation: direction of the diagram.
        sources: ids of boxes with an outgoing arrow.
        targets: ids of boxes with space for an incoming arrow.
        spacing: spaces, and widths at which texts wrap.
        rows: number of text lines that a box has room for, even if it has fewer, by id.
        pitch: least distance from a router to the experts, from edge to edge in the same direction.
    """

    orientation: Orientation
    sources: frozenset[str]
    targets: frozenset[str]
    spacing: Spacing
    rows: Mapping[str, int] = field(default_factory=dict)
    pitch: float = 0

    def chain(self, parts: Iterable[Part], least: float = 0) -> Chain:
        """Compute the sizes of parts; boxes in a column have one width, not below ``least``."""
        parts = tuple(parts)
        steps = steps_in_line(parts) if self.orientation.is_down else ()
        width = max((least, *map(self._width, steps)))
        sized = with_common_bypass(self._sized(parts, width))
        rooms = [part.room for part in sized]
        room = Room(
            sum(room.along for room in rooms),
            max((room.before for room in rooms), default=0),
            max((room.after for room in rooms), default=0),
        )
        return Chain(room, sized)

    def _sized(self, parts: Iterable[Part], width: float) -> Iterator[SizedPart]:
        """The parts with their sizes; the sum of a fork's branches is after the fork."""
        for part in parts:
            yield self._part(part, width)
            if isinstance(part, Fork) and part.addition:
                yield self._sum(part, part.addition)

    def _sum(self, fork: Fork, addition: Box) -> SizedBox:
        """The sum of a fork's branches, with an arrow from above only if one ends there."""
        sized = self._box(addition, 0)
        if fork.has_line_above:
            return sized
        room = replace(sized.room, along=sized.room.along - sized.arrow)
        return replace(sized, room=room, arrow=0)

    def _part(self, part: Part, width: float) -> SizedPart:
        if isinstance(part, Box):
            return self._box(part, width)
        if isinstance(part, Residual):
            return self._residual(part, width)
        if isinstance(part, Gated):
            return self._gated(part)
        return self._fork(part) if isinstance(part, Fork) else self._cluster(part, width)

    def _box(self, box: Box, width: float) -> SizedBox:
        texts, own_width = self._texts(box), self._width(box)
        has_arrow = box.id in self.sources
        output = self._label(box.output, (box,)) if has_arrow else ()
        frame = self._frame(box, max(width, own_width) if box.kind is BoxKind.STEP else own_width)
        label = self.orientation.label_room(output) if output else Room(UNLABELLED_LINE, 0, 0)
        arrow = ARROW if box.id in self.targets else 0
        room = Room(
            arrow + frame.along + (label.along if has_arrow else 0),
            max(frame.before, label.before),
            max(frame.after, label.after),
        )
        return SizedBox(room, box, frame, arrow, texts, output)

    def _frame(self, box: Box, width: float) -> Room:
        if box.kind is BoxKind.ADDITION:
            return self.orientation.box_room(2 * RADIUS, 2 * RADIUS)
        rows = max(len(self._texts(box)), self.rows.get(box.id, 0))
        height = rows * LINE_HEIGHT + 2 * self._padding(box).vertical
        return self.orientation.box_room(width, height)

    def _residual(self, part: Residual, width: float) -> SizedResidual:
        inner, addition = self.chain(part.parts, width), self._box(part.addition, 0)
        bypass = max(inner.room.after, addition.room.after) + self.spacing.bypass
        room = Room(
            LEAD + inner.room.along + addition.room.along,
            max(inner.room.before, addition.room.before),
            bypass,
        )
        return SizedResidual(room, part, inner, addition, bypass)

    def _gated(self, part: Gated) -> SizedGated:
        gate, inner = self.chain(part.gate), self.chain(part.parts)
        along, lead = LEAD + max(gate.room.along, inner.room.along) + JOIN, LEAD / 2
        if not part.gate:
            bypass = inner.room.after + self.spacing.bypass
            room = Room(along, inner.room.before, bypass)
            return SizedGated(room, part, gate, inner, bypass, lead)
        gap = self.spacing.branch_gap / (1 if part.parts else 2)  # a line needs less room
        distance = inner.room.before + gap + gate.room.after
        room = Room(max(along, lead + self.pitch), distance + gate.room.before, inner.room.after)
        return SizedGated(room, part, gate, inner, -distance, lead)

    def _fork(self, fork: Fork) -> SizedFork:
        # branches with arrows from another column go first, on the side where those arrows arrive
        ordered = sorted(fork.from_left, key=lambda branch: not branch.reads_other_columns)
        sizing = replace(self, rows=common_rows(fork, self._texts))
        sized = levelled(lambda pitch: sizing._branches(ordered, fork, pitch))
        lines, edge = [], 0.0  # across the pipeline: each branch's line, and the next branch's edge
        for branch in sized:
            lines.append(edge + branch.before)
            edge = lines[-1] + branch.after + self.spacing.branch_gap
        # centred on the middle one, or two, of the branches that read the input
        inner = [
            line for line, b in zip(lines, ordered, strict=True) if b not in fork.side_branches
        ]
        middle = (inner[(len(inner) - 1) // 2] + inner[len(inner) // 2]) / 2
        offsets = [line - middle for line in lines]
        label_length = max(branch.label_room.along for branch in sized)
        badge = self.orientation.badge_room(fork.either) if fork.either else None
        spread = max(SPREAD, badge.along / 2 if badge else 0)
        labels = zip((branch.label_room for branch in sized), offsets, strict=True)
        is_covered = badge and any(badge.overlaps(room, offset) for room, offset in labels)
        below = spread if is_covered else 0
        room = Room(
            spread + below + label_length + max(branch.length for branch in sized) + JOIN,
            middle,
            edge - self.spacing.branch_gap - middle,
        )
        branches = (
            replace(
                branch,
                offset=offset,
                label_room=replace(branch.label_room, along=below + label_length),
            )
            for offset, branch in zip(offsets, sized, strict=True)
        )
        to_sum = self._sum(fork, fork.addition).arrow + RADIUS if fork.addition else 0
        return SizedFork(room, tuple(branches), spread, below, badge, fork.either, to_sum)

    def _branches(self, ordered: Iterable[Branch], fork: Fork, pitch: float) -> list[SizedBranch]:
        sizing = replace(self, pitch=max(self.pitch, pitch))
        return [sizing._branch(branch, fork) for branch in ordered]

    def _branch(self, branch: Branch, fork: Fork) -> SizedBranch:
        """A branch with its size; the fork sets its offset, and one length for all labels."""
        # equal for all labels of the fork, which stand beside each other
        widths = (self._label_width(boxes_of(b.parts)) for b in fork.branches if b.label)
        label = wrapped_runs(branch.label, min(widths)) if branch.label else ()
        label_room = self.orientation.label_room(label) if label else Room(0, 0, 0)
        chain, raised = self.chain(branch.parts), 0.0
        if fork.addition and branch.begins_with_input:
            chain = chain.with_space(SPREAD)
            raised = chain.parts[0].room.along
        return SizedBranch(0, label, label_room, chain, branch in fork.ending_at_sides, raised)

    def _label(self, line: Line, boxes: Iterable[Box]) -> tuple[Runs, ...]:
        """Lines of a text beside an arrow to or from the boxes of a column."""
        return wrapped_runs(line, self._label_width(boxes)) if line else ()

    def _label_width(self, boxes: Iterable[Box]) -> float:
        """Maximum width of a text beside all of the boxes, of which a router is narrower."""
        return max(map(self.spacing.width_of, boxes)) / 2

    def _cluster(self, cluster: Cluster, width: float) -> SizedCluster:
        title = wrapped(cluster.title, self.spacing.title_width_of(cluster))
        title_width = max(map(text_width, title)) + CLUSTER_PADDING
        title_height = len(title) * LINE_HEIGHT + CLUSTER_PADDING / 2
        inner = self.chain(cluster.parts, width)
        parts = inner.room
        if self.orientation.is_down:  # the title is above the parts, and left of the line
            begin = max(title_height, CLUSTER_PADDING)
            length = begin + parts.along + CLUSTER_PADDING
            before = max(parts.before + CLUSTER_PADDING, title_width + TITLE_GAP)
        else:
            begin = CLUSTER_PADDING
            length = max(begin + parts.along, title_width) + CLUSTER_PADDING
            before = parts.before + title_height + GAP
        frame = Room(length, before, parts.after + CLUSTER_PADDING)
        room = Room(frame.along + 2 * CLUSTER_MARGIN, frame.before, frame.after)
        return SizedCluster(room, cluster, frame, begin, title, inner)

    def _texts(self, box: Box) -> tuple[Runs, ...]:
        return box_texts(box, self.spacing.width_of(box), is_down=self.orientation.is_down)

    def _width(self, box: Box) -> float:
        """Width of a box: its longest line and the padding."""
        return max(map(line_width, self._texts(box)), default=0) + 2 * self._padding(box).horizontal

    def _padding(self, box: Box) -> Padding:
        is_norm = box.kind is BoxKind.NORM
        return self.spacing.norm_padding if is_norm else self.spacing.padding


def sizing(diagram: Diagram, width: int = WIDE, stretches: Stretches = NO_STRETCH) -> Sizing:
    """Create the :class:`Sizing` of a diagram; the arguments are those of :func:`.spacing`."""
    sources = frozenset(arrow.start.id for arrow in diagram.arrows)
    targets = {arrow.end.id for arrow in diagram.arrows}
    # also before inputs without an arrow: they begin level with the branch beside them
    targets |= {box.id for box in diagram.columns if box.reads == ()}
    orientation = Orientation(diagram.direction)
    return Sizing(orientation, sources, frozenset(targets), spacing(diagram, width, stretches))
