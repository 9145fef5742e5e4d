"""Sizes of the parts of a pipeline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Union

from sphinx_llmsize.diagram import Box, BoxKind, Cluster, Diagram, Fork, Part, boxes_of
from sphinx_llmsize.drawing.orientation import Orientation, Room
from sphinx_llmsize.drawing.picture import LINE_HEIGHT
from sphinx_llmsize.drawing.text_runs import Run, line_width, runs
from sphinx_llmsize.drawing.text_width import text_width, wrapped

PADDING = (12, 7)
"""Horizontal and vertical padding of a box."""
ARROW = 14
"""Length of an arrow before a box, head included."""
SHORT = 4
"""Length of an arrow without a label after a box."""
SPREAD = 6
"""Length of the arrows' split before a fork."""
JOIN = 5
"""Length of the arrows' join after a fork."""
BETWEEN = 18
"""Distance between the branches of a fork."""
MARGIN = 5
"""Space before and after a cluster."""
INSIDE = 10
"""Padding of a cluster."""
TITLE_WIDTH = 190


@dataclass(frozen=True)
class SizedBox:
    """A box with its size.

    Attributes:
        room: space for it, arrows included.
        box: the box.
        frame: room of the rectangle.
        arrow: length of the arrow to it.
        texts: lines in it, title first.
        output: label of the arrow from it.
    """

    room: Room
    box: Box
    frame: Room
    arrow: float
    texts: tuple[tuple[Run, ...], ...]
    output: tuple[Run, ...]


@dataclass(frozen=True)
class SizedFork:
    """A fork with its size; each branch has an offset across the pipeline."""

    room: Room
    branches: tuple[tuple[float, Chain], ...]


@dataclass(frozen=True)
class SizedCluster:
    """A cluster with its size; ``begin`` is the position of the inner parts in the frame."""

    room: Room
    cluster: Cluster
    frame: Room
    begin: float
    title: tuple[str, ...]
    inner: Chain


@dataclass(frozen=True)
class Chain:
    """Consecutive parts on one line."""

    room: Room
    parts: tuple[SizedPart, ...]


SizedPart = Union[SizedBox, SizedFork, SizedCluster]


@dataclass(frozen=True)
class Sizing:
    """Computes the sizes of the parts of a diagram.

    Attributes:
        orientation: direction of the diagram.
        sources: ids of boxes with arrows from them.
        targets: ids of boxes with arrows to them.
    """

    orientation: Orientation
    sources: frozenset[str]
    targets: frozenset[str]

    def chain(self, parts: Iterable[Part]) -> Chain:
        """Consecutive parts; boxes below each other have the same width."""
        parts = tuple(parts)
        steps = [part for part in parts if isinstance(part, Box) and part.kind is not BoxKind.DATA]
        width = max(map(_width, steps), default=0) if self.orientation.is_down else 0
        measured = tuple(self._part(part, width) for part in parts)
        rooms = [part.room for part in measured]
        room = Room(
            sum(room.along for room in rooms),
            max(room.before for room in rooms),
            max(room.after for room in rooms),
        )
        return Chain(room, measured)

    def _part(self, part: Part, width: float) -> SizedPart:
        if isinstance(part, Box):
            return self._box(part, width)
        return self._fork(part) if isinstance(part, Fork) else self._cluster(part)

    def _box(self, box: Box, width: float) -> SizedBox:
        texts, output = _texts(box), runs(box.output) if box.id in self.sources else ()
        wide = _width(box) if box.kind is BoxKind.DATA else max(width, _width(box))
        frame = self.orientation.box(wide, len(texts) * LINE_HEIGHT + 2 * PADDING[1])
        label = self.orientation.label(output) if output else Room(SHORT, 0, 0)
        arrow = ARROW if box.id in self.targets else 0
        room = Room(
            arrow + frame.along + (label.along if box.id in self.sources else 0),
            max(frame.before, label.before),
            max(frame.after, label.after),
        )
        return SizedBox(room, box, frame, arrow, texts, output)

    def _fork(self, fork: Fork) -> SizedFork:
        # arrows from other columns arrive at the side of the first branch
        ordered = sorted(fork.branches, key=lambda branch: not _reads(branch))
        chains = [self.chain(branch) for branch in ordered]
        lines, end = [], 0.0
        for chain in chains:
            lines.append(end + chain.room.before)
            end = lines[-1] + chain.room.after + BETWEEN
        middle = (lines[(len(lines) - 1) // 2] + lines[len(lines) // 2]) / 2
        room = Room(
            SPREAD + max(chain.room.along for chain in chains) + JOIN,
            middle,
            end - BETWEEN - middle,
        )
        places = (line - middle for line in lines)
        return SizedFork(room, tuple(zip(places, chains, strict=True)))

    def _cluster(self, cluster: Cluster) -> SizedCluster:
        title = wrapped(cluster.title, TITLE_WIDTH)
        width = max(map(text_width, title)) + 2 * INSIDE
        first, beside, least = self.orientation.title(width, len(title) * LINE_HEIGHT + INSIDE / 2)
        inner = self.chain(cluster.parts)
        begin = max(first, INSIDE)
        is_down = self.orientation.is_down
        frame = Room(
            max(begin + inner.room.along + INSIDE, least),
            max(inner.room.before + INSIDE, beside) if is_down else inner.room.before + beside,
            inner.room.after + INSIDE,
        )
        room = Room(frame.along + 2 * MARGIN, frame.before, frame.after)
        return SizedCluster(room, cluster, frame, begin, title, inner)


def _texts(box: Box) -> tuple[tuple[Run, ...], ...]:
    return tuple(runs(line) for line in (box.title, *box.lines))


def _width(box: Box) -> float:
    """The width of a box."""
    title, *lines = _texts(box)
    widths = (line_width(title, bold=box.kind is not BoxKind.DATA), *map(line_width, lines))
    return max(widths) + 2 * PADDING[0]


def _reads(branch: tuple[Part, ...]) -> bool:
    """True if the branch has an arrow from another column."""
    return any(box.reads for box in boxes_of(branch))


def sizing(diagram: Diagram) -> Sizing:
    """The sizing of a diagram's parts."""
    arrows = diagram.arrows
    return Sizing(
        Orientation(diagram.direction),
        frozenset(start.id for start, _ in arrows),
        frozenset(end.id for _, end in arrows),
    )
