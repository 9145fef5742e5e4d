"""Computation of the sizes of a diagram's parts and of their chains, without positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Gated, Part, Residual, boxes_of
from sphinx_llmsize.drawing.box_sizing import BoxSizing
from sphinx_llmsize.drawing.common_sizes import common_rows, steps_in_line, widths_side_by_side
from sphinx_llmsize.drawing.levelled_branches import (
    after_router,
    levelled,
    pitch_beside_router,
)
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
    ADDITION_RADIUS,
    CLUSTER_MARGIN,
    CLUSTER_PADDING,
    JOIN,
    LEAD,
    SPREAD,
    TITLE_PADDING,
    Fits,
    Spacing,
    spacing_of,
)
from sphinx_llmsize.drawing.text_runs import wrapped_runs
from sphinx_llmsize.drawing.text_width import text_width, wrapped
from sphinx_llmsize.drawing.wrapped_box_text import needs_short_lines
from sphinx_llmsize.picture_widths import WIDE


@dataclass(frozen=True)
class Sizing:
    """Computes the sizes of the parts of a diagram.

    Attributes:
        boxes: computes the sizes of boxes.
        pitch: least distance from a router to its experts, from edge to edge in the same direction.
    """

    boxes: BoxSizing
    pitch: float = 0

    @property
    def orientation(self) -> Orientation:
        """Direction of the diagram."""
        return self.boxes.orientation

    @property
    def spacing(self) -> Spacing:
        """Spaces, and widths at which texts wrap."""
        return self.boxes.spacing

    def chain(self, parts: Iterable[Part], least: float = 0) -> Chain:
        """Compute the sizes of parts; boxes in a column have one width, not below ``least``."""
        parts = tuple(parts)
        steps = steps_in_line(parts) if self.orientation.is_down else ()
        width = max((least, *map(self.boxes.width, steps)))
        sized = with_common_bypass(self._sized(parts, width))
        rooms = [part.room for part in sized]
        room = Room(
            sum(room.along for room in rooms),
            max((room.before for room in rooms), default=0),
            max((room.after for room in rooms), default=0),
        )
        return Chain(room, sized)

    def _sized(self, parts: Iterable[Part], width: float) -> Iterator[SizedPart]:
        """The parts with their sizes, and the sum of a fork's branches as a part of its own."""
        previous: SizedPart | None = None
        for part in parts:
            previous = after_router(previous, self._part(part, width), self.pitch)
            yield previous
            if isinstance(part, Fork) and part.addition:
                yield self._sum(part, part.addition)

    def _sum(self, fork: Fork, addition: Box) -> SizedBox:
        """The sum of a fork's branches, without an arrow from above if no line ends there."""
        sized = self.boxes.sized(addition)
        if fork.has_line_above:
            return sized
        return replace(sized, room=sized.room.longer(-sized.arrow), arrow=0)

    def _part(self, part: Part, width: float) -> SizedPart:
        """A part with its size; boxes of steps have at least this width."""
        if isinstance(part, Box):
            return self.boxes.sized(part, width)
        if isinstance(part, Residual):
            return self._residual(part, width)
        if isinstance(part, Gated):
            return self._gated(part)
        if isinstance(part, Fork):
            return self._fork(part)
        return self._cluster(part, width)

    def _residual(self, part: Residual, width: float) -> SizedResidual:
        """A residual connection with its size; boxes of steps have at least this width."""
        inner = self.chain(part.parts, width)
        addition = self.boxes.sized(part.addition)
        bypass = max(inner.room.after, addition.room.after) + self.spacing.bypass
        room = Room(
            LEAD + inner.room.along + addition.room.along,
            max(inner.room.before, addition.room.before),
            bypass,
        )
        return SizedResidual(room, part, inner, addition, bypass)

    def _gated(self, part: Gated) -> SizedGated:
        """Parts with their size, and the gate or the line beside them."""
        gate = self.chain(part.gate)
        inner = self.chain(part.parts)
        along = LEAD + max(gate.room.along, inner.room.along) + JOIN
        lead = LEAD / 2
        if not part.gate:
            bypass = inner.room.after + self.spacing.bypass
            room = Room(along, inner.room.before, bypass)
            return SizedGated(room, part, gate, inner, bypass, lead)
        distance = inner.room.before + self.spacing.branch_gap + gate.room.after
        room = Room(along, distance + gate.room.before, inner.room.after)
        return SizedGated(room, part, gate, inner, -distance, lead)

    def _fork(self, fork: Fork) -> SizedFork:
        """A fork with its size and the offsets of its branches."""
        # branches with arrows from another column go first, on the side where those arrows arrive
        ordered = sorted(fork.from_left, key=lambda branch: not branch.reads_other_columns)
        sized = self._with_labels(self._branches(ordered, fork), ordered)
        lines = self._lines(sized)
        # centred on the middle one, or two, of the branches that read the input, or else of all
        centred = [line for line, b in zip(lines, ordered, strict=True) if b.reads_input]
        middle = median(centred or lines)
        label_length = max(branch.label_room.along for branch in sized)
        spread: float = SPREAD
        below: float = 0
        badge: Room | None = None
        if fork.has_alternatives:
            badge = self.orientation.badge_room(fork.either)
            spread = max(spread, badge.along / 2)
            labels = [branch.label_room for branch in sized]
            if any(map(badge.overlaps, labels, [line - middle for line in lines])):
                below = spread
        room = Room(
            spread + below + label_length + max(branch.length for branch in sized) + JOIN,
            middle,
            max(line + branch.after for line, branch in zip(lines, sized, strict=True)) - middle,
        )
        for position, branch in enumerate(sized):
            label_room = replace(branch.label_room, along=below + label_length)
            offset = lines[position] - middle
            sized[position] = replace(branch, offset=offset, label_room=label_room)
        to_sum = self._sum(fork, fork.addition).arrow + ADDITION_RADIUS if fork.addition else 0
        return SizedFork(room, tuple(sized), spread, below, badge, fork.either, to_sum)

    def _branches(self, branches: Sequence[Branch], fork: Fork) -> list[SizedBranch]:
        """The branches with their sizes; boxes side by side have one height, or stand in rows."""
        boxes = replace(self.boxes, rows=common_rows(fork, self.boxes.texts))
        sizing = replace(self, boxes=boxes)
        sized = [sizing._branch(branch, fork) for branch in branches]
        pitch = pitch_beside_router(sized)
        if pitch > self.pitch:
            sizing = replace(sizing, pitch=pitch)
            sized = [sizing._branch(branch, fork) for branch in branches]
        return levelled(sized)

    def _branch(self, branch: Branch, fork: Fork) -> SizedBranch:
        """A branch with its size; its label and its offset are set later."""
        chain, raised = self.chain(branch.parts), 0.0
        if fork.addition and branch.begins_with_input and fork.reads_input:
            chain = chain.with_space(SPREAD)
            raised = chain.parts[0].room.along
        return SizedBranch(0, (), Room(0, 0, 0), chain, branch in fork.ending_at_sides, raised)

    def _with_labels(
        self, sized: Sequence[SizedBranch], branches: Sequence[Branch]
    ) -> list[SizedBranch]:
        """The branches with their labels, each of which may reach to the next line."""
        rooms = [after - line for line, after in pairwise(self._lines(sized))]
        rooms.append(sized[-1].after + self.spacing.bypass)
        result = list(sized)
        for position, branch in enumerate(branches):
            if branch.label:
                half_of_column = max(map(self.spacing.label_width_of, boxes_of(branch.parts)))
                width = max(half_of_column, rooms[position] - 2 * GAP)
                label = wrapped_runs(branch.label, width, at_dots=True)
                space = self.orientation.label_room(label)
                result[position] = replace(sized[position], label=label, label_room=space)
        return result

    def _lines(self, branches: Sequence[SizedBranch]) -> list[float]:
        """Position of each branch's line, across the pipeline, without overlaps."""
        lines = [branches[0].before]
        for previous, branch in pairwise(branches):
            boxes = previous.chain.room.after + self.spacing.branch_gap + branch.before
            lines.append(lines[-1] + max(boxes, previous.label_room.after + GAP))
        return lines

    def _cluster(self, cluster: Cluster, width: float) -> SizedCluster:
        """A cluster with its size; boxes of steps have at least this width."""
        inner = self.chain(cluster.parts, width)
        parts = inner.room
        is_down = self.orientation.is_down
        title = wrapped(cluster.title, self.spacing.title_width(parts, is_down=is_down))
        title_width = max(map(text_width, title)) + TITLE_PADDING
        title_height = len(title) * LINE_HEIGHT + CLUSTER_PADDING / 2
        after = parts.after + CLUSTER_PADDING
        if is_down:
            begin = max(title_height, CLUSTER_PADDING)
            length = begin + parts.along + CLUSTER_PADDING
            before = max(parts.before + CLUSTER_PADDING, title_width)
            if parts.before == parts.after and self.spacing.has_room_beside(cluster.boxes):
                after = before
        else:
            begin = CLUSTER_PADDING
            length = max(begin + parts.along, title_width) + CLUSTER_PADDING
            before = parts.before + title_height + GAP
        frame = Room(length, before, after)
        whole = Room(frame.along + 2 * CLUSTER_MARGIN, frame.before, frame.after)
        return SizedCluster(whole, cluster, frame, begin, title, inner)


def sizing_of(diagram: Diagram, width: int = WIDE, fits: Fits | None = None) -> Sizing:
    """Create the :class:`Sizing` of a diagram; the arguments are those of :func:`.spacing_of`."""
    sources = frozenset(arrow.start.id for arrow in diagram.arrows)
    targets = {arrow.end.id for arrow in diagram.arrows}
    # inputs without an arrow have the space for one, so that they begin level with other branches
    targets |= {box.id for box in diagram.columns if box.reads == ()}
    spaces = spacing_of(diagram, width, fits)
    # all boxes or none, so that readers can compare them
    is_short = any(needs_short_lines(box, spaces.width_of(box)) for box in diagram.boxes)
    boxes = BoxSizing(Orientation(diagram.direction), spaces, sources, frozenset(targets), is_short)
    widths = widths_side_by_side(diagram, fits or {}, boxes.width)
    return Sizing(replace(boxes, widths=widths))
