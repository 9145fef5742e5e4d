"""Layout of a pipeline: positions of its sized parts and of the arrows between them.

A decoder is beside its encoder, or below it in a narrow column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import copysign

from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_arrows import Arrow
from sphinx_llmsize.diagram_tree import Gated, Residual, sequences_of
from sphinx_llmsize.drawing.orientation import Orientation, straightened
from sphinx_llmsize.drawing.picture import Point, baseline, point
from sphinx_llmsize.drawing.pipeline_picture import (
    Badge,
    DrawnArrow,
    DrawnBox,
    DrawnCluster,
    Lettering,
    PipelinePicture,
    centred,
    sides,
)
from sphinx_llmsize.drawing.ports import Bends, Port, Position
from sphinx_llmsize.drawing.sized_parts import (
    Chain,
    SizedBox,
    SizedCluster,
    SizedFork,
    SizedGated,
    SizedPart,
    SizedResidual,
)
from sphinx_llmsize.drawing.sizing import Sizing
from sphinx_llmsize.drawing.spacing import (
    ADDITION_RADIUS,
    CHANNEL,
    CLUSTER_MARGIN,
    CLUSTER_PADDING,
    EDGE,
    LEAD,
    TITLE_PADDING,
)
from sphinx_llmsize.drawing.text_runs import Run


def layout(diagram: Diagram, sizes: Sizing) -> PipelinePicture:
    """Compute the picture of a diagram from the sizes of its parts."""
    placed = _Layout(sizes.orientation)
    chains = [sizes.chain(sequence) for sequence in sequences_of(diagram.items)]
    if sizes.spacing.is_stacked:
        along, across = placed.add_stacked(chains)
    else:
        along, across = placed.add_side_by_side(chains)
    right, bottom = sizes.orientation.at(along + EDGE, across + EDGE)
    return PipelinePicture(
        title=diagram.title,
        description=diagram.description,
        width=right,
        height=bottom,
        clusters=tuple(placed.clusters),
        boxes=tuple(placed.boxes[box.id] for box in diagram.boxes),
        arrows=tuple(map(placed.draw_arrow, diagram.arrows)),
        labels=tuple(placed.labels),
        dots=tuple(placed.dots),
        badges=tuple(placed.badges),
    )


@dataclass
class _Layout:
    """Collects the parts of a pipeline with their positions.

    Attributes:
        orientation: direction of the diagram.
        boxes: placed boxes, by id.
        clusters: placed clusters.
        labels: texts beside arrows.
        dots: points where a line branches off while the flow goes straight on.
        badges: words at the forks of alternatives.
        ports: positions where arrows enter and leave a box, by its id.
        bypasses: bends of the line past the steps of a residual connection, or past a gate's parts.
    """

    orientation: Orientation
    boxes: dict[str, DrawnBox] = field(default_factory=dict)
    clusters: list[DrawnCluster] = field(default_factory=list)
    labels: list[Lettering] = field(default_factory=list)
    dots: list[Point] = field(default_factory=list)
    badges: list[Badge] = field(default_factory=list)
    ports: dict[str, Port] = field(default_factory=dict)
    bypasses: dict[Residual | Gated, tuple[Position, ...]] = field(default_factory=dict)

    def draw_arrow(self, arrow: Arrow) -> DrawnArrow:
        """Draw an arrow: to the next box, past steps, or from another column."""
        source, target = self.ports[arrow.start.id], self.ports[arrow.end.id]
        other_columns = (*(arrow.end.reads or ()), *arrow.end.also_reads)
        corners = [source.exit]
        if arrow.start.id in other_columns:
            channel = target.bends.channel
            out = source.label_end
            corners += (out, (out[0], channel), (target.side[0], channel), target.side)
        else:
            corners += source.bends.after
            for part in arrow.passes:
                corners += self.bypasses[part]
            # the line past the steps of a residual connection ends at its sum already
            if not arrow.is_residual:
                corners += source.bends.side or (*target.bends.before, target.entry)
        points = straightened(self.orientation.at(*corner) for corner in corners)
        head = () if arrow.end.is_missing else self.orientation.head(points[-1], points[-2])
        return DrawnArrow(arrow.start, arrow.end, points, head)

    def add_side_by_side(self, chains: Iterable[Chain]) -> Position:
        """Add chains beside each other; return their end along and across the pipeline."""
        edge, end = float(EDGE), 0.0
        for chain in chains:
            begin = (EDGE, edge + chain.room.before)
            self._add_chain(chain, begin, Bends(edge - CHANNEL / 2))
            edge += chain.room.before + chain.room.after + CHANNEL
            end = max(end, EDGE + chain.room.along)
        return end, edge - CHANNEL

    def add_stacked(self, chains: Sequence[Chain]) -> Position:
        """Add chains below each other, beside a channel for the arrows between them.

        Return their end along and across the pipeline.
        """
        end, line = float(EDGE), EDGE + CHANNEL + max(chain.room.before for chain in chains)
        for chain in chains:
            self._add_chain(chain, (end, line), Bends(EDGE + CHANNEL / 2))
            end += chain.room.along + CHANNEL / 2
        return end - CHANNEL / 2, line + max(chain.room.after for chain in chains)

    def _add_chain(self, chain: Chain, begin: Position, bends: Bends) -> None:
        """Add consecutive parts; arrows to the first and from the last part have the bends."""
        along, line = begin
        last = len(chain.parts) - 1
        for index, part in enumerate(chain.parts):
            own = bends
            if index > 0:
                own = replace(own, before=())
            if index < last:
                own = replace(own, after=(), side=())
            self._add_part(part, (along, line), own)
            along += part.room.along

    def _add_part(self, part: SizedPart, begin: Position, bends: Bends) -> None:
        """Add a part, starting at a position, with the bends of the arrows to and from it."""
        if isinstance(part, SizedBox):
            self._add_box(part, begin, bends)
        elif isinstance(part, SizedFork):
            self._add_fork(part, begin, bends)
        elif isinstance(part, SizedGated):
            self._add_gated(part, begin, bends)
        elif isinstance(part, SizedResidual):
            self._add_residual(part, begin, bends)
        else:
            self._add_cluster(part, begin, bends)

    def _add_fork(self, fork: SizedFork, begin: Position, bends: Bends) -> None:
        """Add the branches, with the bends of the arrows from the fork's line and back to it."""
        along, line = begin
        splits, joins = along + fork.spread, along + fork.room.along
        if fork.badge:
            frame = self.orientation.frame(splits - fork.badge.along / 2, line, fork.badge)
            (text,) = centred(((Run(fork.word),),), frame)
            self.badges.append(Badge(frame, text))
        for branch in fork.branches:
            own_line = line + branch.offset
            before = (*bends.before, (splits, line), (splits, own_line))
            own_bends = Bends(bends.channel, before)
            if branch.is_at_side:
                sum_middle = joins + fork.to_sum
                sum_edge = line + copysign(ADDITION_RADIUS, branch.offset)
                side = ((sum_middle, own_line), (sum_middle, sum_edge))
                own_bends = replace(own_bends, side=side)
            else:
                joining = ((joins, own_line), (joins, line))
                own_bends = replace(own_bends, after=(*joining, *bends.after))
                if bends.side:
                    own_bends = replace(own_bends, side=(*joining, *bends.side))
            if branch.label:
                label_begin = splits + fork.below
                self.labels += self.orientation.placed_label(label_begin, own_line, branch.label)
            first = (splits + branch.label_room.along - branch.raised, own_line)
            self._add_chain(branch.chain, first, own_bends)

    def _add_gated(self, part: SizedGated, begin: Position, bends: Bends) -> None:
        """Add the parts, and beside them the gate, or else the bends of a line past them."""
        along, line = begin
        leaves, joins = along + part.lead, along + part.room.along
        beside = line + part.beside
        self.dots.append(self.orientation.at(leaves, line))
        leaving = (*bends.before, (leaves, line), (leaves, beside))
        joining = ((joins, beside), (joins, line))
        self.bypasses[part.part] = (*leaving, *joining)
        gate_bends = Bends(bends.channel, leaving, (*joining, *bends.after))
        self._add_chain(part.gate, (leaves, beside), gate_bends)
        self._add_chain(part.inner, (along + LEAD, line), bends)

    def _add_residual(self, part: SizedResidual, begin: Position, bends: Bends) -> None:
        """Add the steps and their sum with the input, and the bends of the line past the steps."""
        along, line = begin
        self._add_chain(part.inner, (along + LEAD, line), replace(bends, after=(), side=()))
        end = (along + LEAD + part.inner.room.along, line)
        self._add_box(part.addition, end, replace(bends, before=()))
        port = self.ports[part.addition.box.id]
        leaves, beside = along + LEAD / 2, line + part.bypass
        self.dots.append(self.orientation.at(leaves, line))
        middle = (port.entry[0] + port.exit[0]) / 2
        sum_edge = line + ADDITION_RADIUS
        corners = ((leaves, line), (leaves, beside), (middle, beside), (middle, sum_edge))
        self.bypasses[part.part] = (*bends.before, *corners)

    def _add_cluster(self, part: SizedCluster, begin: Position, bends: Bends) -> None:
        """Add the frame, the title in its upper left corner, and the parts."""
        along, line = begin
        frame = self.orientation.frame(along + CLUSTER_MARGIN, line, part.frame)
        left = frame.left + TITLE_PADDING
        top = frame.top + CLUSTER_PADDING / 2
        title = tuple(
            Lettering(point(left, baseline(top, row)), (Run(text),))
            for row, text in enumerate(part.title)
        )
        if not part.cluster.is_missing:
            self.clusters.append(DrawnCluster(part.cluster, frame, title, sides(frame)))
        self._add_chain(part.inner, (along + CLUSTER_MARGIN + part.begin, line), bends)

    def _add_box(self, part: SizedBox, begin: Position, bends: Bends) -> None:
        """Add the box, the positions of its arrows, and the label of the arrow that leaves it."""
        along, line = begin
        entry = along + part.arrow
        exit = entry + part.frame.along
        frame = self.orientation.frame(entry, line, part.frame)
        self.boxes[part.box.id] = DrawnBox(part.box, frame, tuple(centred(part.texts, frame)))
        self.ports[part.box.id] = Port(
            entry=(entry, line),
            exit=(exit, line),
            label_end=(along + part.room.along, line),
            side=((entry + exit) / 2, line - part.frame.before),
            bends=bends,
        )
        if part.output:
            self.labels += self.orientation.placed_label(exit, line, part.output)
