"""Where everything in a pipeline stands: its parts on one line, what they read beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from sphinx_llmsize.diagram import Box, BoxKind, Diagram, Part
from sphinx_llmsize.drawing.boxes import (
    INSIDE,
    MARGIN,
    PADDING,
    SPREAD,
    Chain,
    Measured,
    MeasuredBox,
    MeasuredCluster,
    MeasuredFork,
    measure,
)
from sphinx_llmsize.drawing.orientation import Compass
from sphinx_llmsize.drawing.picture import BASELINE, LINE_HEIGHT, Anchor, Point, point
from sphinx_llmsize.drawing.pipeline_picture import (
    DrawnArrow,
    DrawnBox,
    DrawnCluster,
    Frame,
    Lettering,
    Sketch,
    sides,
)
from sphinx_llmsize.drawing.text_runs import Run

EDGE = 2
"""Around all of it, for what lines are wide."""
CHANNEL = 36
"""Between columns, for the arrows from one to the other."""

Place = tuple[float, float]
"""Along the pipeline, and across it."""


@lru_cache(maxsize=512)
def draw_pipeline(diagram: Diagram) -> Sketch:
    """The picture of a pipeline; what begins anew, as a decoder does, stands beside the rest."""
    measuring = measure(diagram)
    drawing = _Drawing(measuring.compass)
    edge, length = float(EDGE), 0.0
    for column in _columns(diagram.items):
        chain = measuring.chain(column)
        drawing.place(chain, (EDGE, edge + chain.room.before), edge - CHANNEL / 2)
        edge += chain.room.before + chain.room.after + CHANNEL
        length = max(length, chain.room.along)
    width, height = measuring.compass.at(length + 2 * EDGE, edge - CHANNEL + EDGE)
    return Sketch(
        diagram.title,
        diagram.description,
        width,
        height,
        tuple(drawing.clusters),
        tuple(drawing.boxes[box.id] for box in diagram.boxes),
        tuple(drawing.arrow(start, end) for start, end in diagram.arrows),
        tuple(drawing.outputs),
    )


def _columns(parts: Iterable[Part]) -> list[list[Part]]:
    """Parts that follow one another; a new column begins at a box that nothing leads to."""
    columns: list[list[Part]] = []
    for part in parts:
        if not columns or (isinstance(part, Box) and part.reads == ()):
            columns.append([])
        columns[-1].append(part)
    return columns


@dataclass(frozen=True)
class _Port:
    """Where arrows come to a box and leave it.

    Attributes:
        entry: where its line leads to it.
        exit: where an arrow leaves it.
        beyond: as far as the label of that arrow goes.
        side: where an arrow from another column comes to it.
        way_in: bends on the way to the entry.
        way_out: bends on the way from the exit.
        channel: where, across, arrows run from other columns to this one.
    """

    entry: Place
    exit: Place
    beyond: Place
    side: Place
    way_in: tuple[Place, ...]
    way_out: tuple[Place, ...]
    channel: float


@dataclass(frozen=True)
class _Ways:
    """Bends of the arrows to a part and from it."""

    channel: float
    way_in: tuple[Place, ...] = ()
    way_out: tuple[Place, ...] = ()


@dataclass
class _Drawing:
    """A pipeline being drawn."""

    compass: Compass
    boxes: dict[str, DrawnBox] = field(default_factory=dict)
    clusters: list[DrawnCluster] = field(default_factory=list)
    outputs: list[Lettering] = field(default_factory=list)
    ports: dict[str, _Port] = field(default_factory=dict)

    def place(self, chain: Chain, begin: Place, channel: float) -> None:
        """Draw a column that begins there, on that line."""
        self._chain(chain, begin, _Ways(channel))

    def arrow(self, start: Box, end: Box) -> DrawnArrow:
        """An arrow along the line of its chain, or through the channel between columns."""
        source, target = self.ports[start.id], self.ports[end.id]
        if end.reads is None:
            middle: tuple[Place, ...] = (*source.way_out, *target.way_in)
            places = (source.exit, *middle, target.entry)
        else:
            along, _ = source.beyond
            middle = (source.beyond, (along, target.channel), (target.side[0], target.channel))
            places = (source.exit, *middle, target.side)
        points = _straightened(self.compass.at(*place) for place in places)
        return DrawnArrow(start, end, points, self.compass.head(points[-1], points[-2]))

    def _chain(self, chain: Chain, begin: Place, ways: _Ways) -> None:
        along, across = begin
        last = len(chain.parts) - 1
        for number, part in enumerate(chain.parts):
            way_in = ways.way_in if number == 0 else ()
            way_out = ways.way_out if number == last else ()
            self._part(part, (along, across), replace(ways, way_in=way_in, way_out=way_out))
            along += part.room.along

    def _part(self, part: Measured, begin: Place, ways: _Ways) -> None:
        if isinstance(part, MeasuredBox):
            self._box(part, begin, ways)
        elif isinstance(part, MeasuredFork):
            self._fork(part, begin, ways)
        else:
            self._cluster(part, begin, ways)

    def _fork(self, fork: MeasuredFork, begin: Place, ways: _Ways) -> None:
        along, line = begin
        spread, joined = along + SPREAD, along + fork.room.along
        for beside, chain in fork.branches:
            own = line + beside
            way_in = (*ways.way_in, (spread, line), (spread, own))
            way_out = ((joined, own), (joined, line), *ways.way_out)
            self._chain(chain, (spread, own), _Ways(ways.channel, way_in, way_out))

    def _cluster(self, part: MeasuredCluster, begin: Place, ways: _Ways) -> None:
        along, line = begin
        frame = self.compass.frame(along + MARGIN, line, part.frame)
        corner = frame.within(INSIDE)
        title = (
            Lettering(point(corner.left, top + BASELINE), (Run(text),))
            for text, top in zip(part.title, _middles(frame.top + INSIDE / 2), strict=False)
        )
        self.clusters.append(DrawnCluster(part.cluster, frame, tuple(title), sides(frame)))
        self._chain(part.inner, (along + MARGIN + part.begin, line), ways)

    def _box(self, part: MeasuredBox, begin: Place, ways: _Ways) -> None:
        along, line = begin
        entry = along + part.arrow
        exit = entry + part.frame.along
        frame = self.compass.frame(entry, line, part.frame)
        self.boxes[part.box.id] = DrawnBox(part.box, frame, tuple(_written(part, frame)))
        self.ports[part.box.id] = _Port(
            (entry, line),
            (exit, line),
            (along + part.room.along, line),
            ((entry + exit) / 2, line - part.frame.before),
            ways.way_in,
            ways.way_out,
            ways.channel,
        )
        if part.output:
            self.outputs.append(self.compass.labelled(exit, line, part.output))


def _middles(top: float) -> Iterator[float]:
    """The middle of every line of a text that begins there."""
    while True:
        yield top + LINE_HEIGHT / 2
        top += LINE_HEIGHT


def _written(part: MeasuredBox, frame: Frame) -> Iterator[Lettering]:
    """The lines in a box, the title bold if it is a step."""
    x = frame.left + frame.width / 2
    middles = _middles(frame.top + PADDING[1])
    for number, (line, middle) in enumerate(zip(part.texts, middles, strict=False)):
        bold = number == 0 and part.box.kind is not BoxKind.DATA
        yield Lettering(point(x, middle + BASELINE), line, Anchor.MIDDLE, bold)


def _straightened(points: Iterable[Point]) -> tuple[Point, ...]:
    """The points without those that a straight line passes anyway."""
    kept: list[Point] = []
    for at in points:
        if kept and at == kept[-1]:
            continue
        if len(kept) > 1 and any(kept[-2][i] == kept[-1][i] == at[i] for i in (0, 1)):
            kept.pop()
        kept.append(at)
    return tuple(kept)
