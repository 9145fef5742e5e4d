"""The parts of a pipeline with the room that each takes: from the inside outwards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Union

from sphinx_llmsize.diagram import Box, BoxKind, Cluster, Diagram, Fork, Part, boxes_of
from sphinx_llmsize.drawing.lettering import text_width, wrapped
from sphinx_llmsize.drawing.orientation import Compass, Room
from sphinx_llmsize.drawing.picture import LINE_HEIGHT
from sphinx_llmsize.drawing.text_runs import Run, line_width, runs

PADDING = (12, 7)
"""Of a box, beside and above what is written in it."""
ARROW = 14
"""What an arrow takes before a box, its head in it."""
SHORT = 4
"""What an arrow without a label takes after a box."""
SPREAD = 6
"""What arrows take to spread to the branches of a fork."""
JOIN = 5
"""What they take to come together, below their labels."""
BETWEEN = 18
"""Between the branches of a fork."""
MARGIN = 5
"""Before a cluster's frame, and after it."""
INSIDE = 10
"""Between a cluster's frame and what is in it."""
TITLE_WIDTH = 190


@dataclass(frozen=True)
class Placeable:
    """A part, and the room that it takes with its arrows."""

    room: Room


@dataclass(frozen=True)
class MeasuredBox(Placeable):
    """A box.

    Attributes:
        box: what it is.
        frame: the room of the rectangle.
        arrow: what the arrow to it takes.
        texts: what is written in it; the first line is its title.
        output: what is written beside the arrow from it.
    """

    box: Box
    frame: Room
    arrow: float
    texts: tuple[tuple[Run, ...], ...]
    output: tuple[Run, ...]


@dataclass(frozen=True)
class MeasuredFork(Placeable):
    """Branches side by side, with the places of their lines beside that of the fork."""

    branches: tuple[tuple[float, Chain], ...]


@dataclass(frozen=True)
class MeasuredCluster(Placeable):
    """A cluster, the room of its frame, and where the parts in it begin from there."""

    cluster: Cluster
    frame: Room
    begin: float
    title: tuple[str, ...]
    inner: Chain


@dataclass(frozen=True)
class Chain(Placeable):
    """Parts one after the other, on one line."""

    parts: tuple[Measured, ...]


Measured = Union[MeasuredBox, MeasuredFork, MeasuredCluster]


@dataclass(frozen=True)
class Measure:
    """Measures the parts of a diagram.

    Attributes:
        compass: the direction that it runs in.
        sources: the ids of the boxes that arrows leave.
        targets: the ids of the boxes that arrows lead to.
    """

    compass: Compass
    sources: frozenset[str]
    targets: frozenset[str]

    def chain(self, parts: Iterable[Part]) -> Chain:
        """Parts one after the other; where these run down, their boxes are of one width."""
        parts = tuple(parts)
        steps = [part for part in parts if isinstance(part, Box) and part.kind is not BoxKind.DATA]
        width = max(map(_width, steps), default=0) if self.compass.is_down else 0
        measured = tuple(self._part(part, width) for part in parts)
        rooms = [part.room for part in measured]
        room = Room(
            sum(room.along for room in rooms),
            max(room.before for room in rooms),
            max(room.after for room in rooms),
        )
        return Chain(room, measured)

    def _part(self, part: Part, width: float) -> Measured:
        if isinstance(part, Box):
            return self._box(part, width)
        return self._fork(part) if isinstance(part, Fork) else self._cluster(part)

    def _box(self, box: Box, width: float) -> MeasuredBox:
        texts, output = _texts(box), runs(box.output) if box.id in self.sources else ()
        wide = _width(box) if box.kind is BoxKind.DATA else max(width, _width(box))
        frame = self.compass.box(wide, len(texts) * LINE_HEIGHT + 2 * PADDING[1])
        label = self.compass.label(output) if output else Room(SHORT, 0, 0)
        arrow = ARROW if box.id in self.targets else 0
        room = Room(
            arrow + frame.along + (label.along if box.id in self.sources else 0),
            max(frame.before, label.before),
            max(frame.after, label.after),
        )
        return MeasuredBox(room, box, frame, arrow, texts, output)

    def _fork(self, fork: Fork) -> MeasuredFork:
        # arrows from elsewhere come from the side that what stands first is at
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
        return MeasuredFork(room, tuple(zip(places, chains, strict=True)))

    def _cluster(self, cluster: Cluster) -> MeasuredCluster:
        title = wrapped(cluster.title, TITLE_WIDTH)
        width = max(map(text_width, title)) + 2 * INSIDE
        first, beside, least = self.compass.title(width, len(title) * LINE_HEIGHT + INSIDE / 2)
        inner = self.chain(cluster.parts)
        begin = max(first, INSIDE)
        is_down = self.compass.is_down
        frame = Room(
            max(begin + inner.room.along + INSIDE, least),
            max(inner.room.before + INSIDE, beside) if is_down else inner.room.before + beside,
            inner.room.after + INSIDE,
        )
        room = Room(frame.along + 2 * MARGIN, frame.before, frame.after)
        return MeasuredCluster(room, cluster, frame, begin, title, inner)


def _texts(box: Box) -> tuple[tuple[Run, ...], ...]:
    return tuple(runs(line) for line in (box.title, *box.lines))


def _width(box: Box) -> float:
    """Of a box's rectangle."""
    title, *lines = _texts(box)
    widths = (line_width(title, bold=box.kind is not BoxKind.DATA), *map(line_width, lines))
    return max(widths) + 2 * PADDING[0]


def _reads(branch: tuple[Part, ...]) -> bool:
    """Whether there is an arrow to it from elsewhere."""
    return any(box.reads for box in boxes_of(branch))


def measure(diagram: Diagram) -> Measure:
    """What measures the parts of a diagram."""
    arrows = diagram.arrows
    return Measure(
        Compass(diagram.direction),
        frozenset(start.id for start, _ in arrows),
        frozenset(end.id for _, end in arrows),
    )
