"""Pipeline diagrams as data: boxes, forks, residual connections, and clusters of repeated boxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Union

from sphinx_llmsize.inline import Line

ONE_LINE = 36
"""Number of characters that fit on one line of a box."""


class BoxKind(Enum):
    """Kind of a box; decides its shape."""

    DATA = "data"
    """Input or output of the model."""
    STEP = "step"
    """A step, with or without weights."""
    NORM = "norm"
    """A norm: a slim box."""
    ADDITION = "addition"
    """The sum at the end of a residual connection: a circle with a plus sign."""


class Growth(Enum):
    """Growth of a box's parameters with the hidden dimension D; decides frame and colour."""

    SQUARE = "square"
    """With D² or faster: a double frame."""
    LINEAR = "linear"
    """With D: a single frame."""
    NONE = "constant"
    """Not at all, or no parameters: rounded corners."""


@dataclass(frozen=True)
class Box:
    """A step of a pipeline.

    Attributes:
        id: letters, digits and underscores; unique in the diagram.
        title: name of the step.
        kind: shape.
        growth: growth of its parameters with D.
        lines: shapes of its weights, and numbers.
        output: label of the arrow to the next box; empty for no label.
        names: ids of the model's stages in this box; several boxes may share one.
        reads: ids of boxes with arrows to this one; None is the preceding box, () a new column.
        also_reads: ids of boxes with arrows to this one, besides these.
        shade: share of the model's parameters, from 0 to 1; None if the colour shows the growth.
    """

    id: str
    title: str
    kind: BoxKind = BoxKind.STEP
    growth: Growth = Growth.NONE
    lines: tuple[Line, ...] = ()
    output: Line = ()
    names: tuple[str, ...] = ()
    reads: tuple[str, ...] | None = None
    also_reads: tuple[str, ...] = ()
    shade: float | None = None

    @property
    def is_one_line(self) -> bool:
        """True if the title and the only line of text share a line, as in boxes without weights."""
        is_short = self.kind is BoxKind.DATA or self.growth is Growth.NONE
        return is_short and len(self.lines) == 1 and self.width <= ONE_LINE

    @property
    def width(self) -> int:
        """Number of characters of the title and all lines."""
        return len(self.title) + sum(len(str(piece)) for line in self.lines for piece in line)

    def is_called(self, name: str) -> bool:
        """True if the name is the id of the box or of one of its stages."""
        return name == self.id or name in self.names


@dataclass(frozen=True)
class Branch:
    """A chain of boxes in a fork.

    Attributes:
        parts: its contents, in order.
        label: label of the arrow to the first box, such as the layers that take this branch.
    """

    parts: tuple[Part, ...]
    label: Line = ()


@dataclass(frozen=True)
class Fork:
    """Branches with a common predecessor and successor: in parallel, or alternatives by layer."""

    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class Residual:
    """Parts whose output is added to their input.

    Attributes:
        parts: contents, in order.
        addition: the box of the sum; the residual connection's arrow ends here.
    """

    parts: tuple[Part, ...]
    addition: Box


@dataclass(frozen=True)
class Cluster:
    """Parts that repeat together.

    Attributes:
        id: letters, digits and underscores; unique in the diagram.
        title: number of repetitions, ``× 32 layers``.
        parts: contents of the cluster, in order.
    """

    id: str
    title: str
    parts: tuple[Part, ...]

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Every box in the cluster, at any depth."""
        return tuple(boxes_of(self.parts))


Part = Union[Box, Fork, Residual, Cluster]


def boxes_of(parts: Iterable[Part]) -> Iterator[Box]:
    """Every box in order, at any depth."""
    for part in parts:
        if isinstance(part, Box):
            yield part
        elif isinstance(part, Fork):
            for branch in part.branches:
                yield from boxes_of(branch.parts)
        else:
            yield from boxes_of(part.parts)
            if isinstance(part, Residual):
                yield part.addition


def ends_of(part: Part) -> tuple[Box, ...]:
    """Last boxes of a part, one for each branch; arrows to the next part start here."""
    if isinstance(part, Box):
        return (part,)
    if isinstance(part, Fork):
        return tuple(box for branch in part.branches for box in ends_of(branch.parts[-1]))
    return (part.addition,) if isinstance(part, Residual) else ends_of(part.parts[-1])


def breadth_of(parts: Iterable[Part]) -> int:
    """Largest number of boxes side by side."""
    return max((_breadth(part) for part in parts), default=0)


def _breadth(part: Part) -> int:
    if isinstance(part, Box):
        return 1
    if isinstance(part, Fork):
        return sum(breadth_of(branch.parts) for branch in part.branches)
    return breadth_of(part.parts)


def _clusters_of(parts: Iterable[Part]) -> Iterator[Cluster]:
    for part in parts:
        if isinstance(part, Cluster):
            yield part
            yield from _clusters_of(part.parts)


class Direction(Enum):
    """Direction of a diagram: to the right or down."""

    LR = "LR"
    TB = "TB"


@dataclass(frozen=True)
class Arrow:
    """An arrow between two boxes.

    Attributes:
        start: box at its start.
        end: box at its head.
        label: text beside it: a shape, or the layers that take a branch.
        is_residual: the arrow passes the parts of a residual connection.
    """

    start: Box
    end: Box
    label: Line = ()
    is_residual: bool = False


@dataclass(frozen=True)
class Diagram:
    """A pipeline diagram: parts, each with arrows to the next.

    Attributes:
        title: for screen readers.
        description: the diagram in words, for screen readers.
        items: parts in order.
        legend: meaning of frames and colours.
        direction: to the right or down.
    """

    title: str
    description: str
    items: tuple[Part, ...]
    legend: Line
    direction: Direction

    def __str__(self) -> str:
        """The title, as shown in dumps of a doctree."""
        return self.title

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """Every box in order, at any depth."""
        return tuple(boxes_of(self.items))

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """Every cluster, outer ones before inner ones."""
        return tuple(_clusters_of(self.items))

    @property
    def length(self) -> int:
        """Number of boxes on the longest way through the diagram."""
        until = dict.fromkeys(self.boxes, 1)
        for arrow in self.arrows:  # in order: all arrows to a box come before those from it
            until[arrow.end] = max(until[arrow.end], until[arrow.start] + 1)
        return max(until.values())

    def before(self, cluster: Cluster) -> tuple[Box, ...]:
        """Boxes with arrows into a cluster from outside, in order."""
        inner = set(cluster.boxes)
        found = (arrow.start for arrow in self.arrows if arrow.end in inner)
        return tuple(dict.fromkeys(box for box in found if box not in inner))

    @cached_property
    def arrows(self) -> tuple[Arrow, ...]:
        """Every arrow in order; those of residual connections after the steps they pass."""
        connected = _Arrows({box.id: box for box in self.boxes})
        connected.connect((), self.items)
        return tuple(connected.arrows)


@dataclass(frozen=True)
class _OpenEnd:
    """Start of an arrow whose head isn't known yet; ``label`` replaces the box's output."""

    box: Box
    label: Line


@dataclass
class _Arrows:
    """Collects the arrows of a diagram.

    Attributes:
        boxes: every box by its id.
        arrows: the arrows so far.
    """

    boxes: dict[str, Box]
    arrows: list[Arrow] = field(default_factory=list)

    def connect(self, ends: tuple[_OpenEnd, ...], parts: Iterable[Part]) -> tuple[_OpenEnd, ...]:
        """Add the arrows from the open ends through the parts; return the new open ends."""
        for part in parts:
            if isinstance(part, Box):
                ends = self._box(ends, part)
            elif isinstance(part, Fork):
                ends = self._fork(ends, part)
            elif isinstance(part, Residual):
                ends = self._residual(ends, part)
            else:
                ends = self.connect(ends, part.parts)
        return ends

    def _box(self, ends: tuple[_OpenEnd, ...], box: Box) -> tuple[_OpenEnd, ...]:
        if box.reads is not None:
            ends = self._ends_at(box.reads)
        ends = (*ends, *self._ends_at(box.also_reads))
        self.arrows += [Arrow(end.box, box, end.label) for end in ends]
        return (_OpenEnd(box, box.output),)

    def _ends_at(self, ids: tuple[str, ...]) -> tuple[_OpenEnd, ...]:
        return tuple(_OpenEnd(self.boxes[id], self.boxes[id].output) for id in ids)

    def _fork(self, ends: tuple[_OpenEnd, ...], fork: Fork) -> tuple[_OpenEnd, ...]:
        opened: list[_OpenEnd] = []
        for branch in fork.branches:
            begin = tuple(_OpenEnd(end.box, branch.label or end.label) for end in ends)
            opened += self.connect(begin, branch.parts)
        return tuple(opened)

    def _residual(self, ends: tuple[_OpenEnd, ...], part: Residual) -> tuple[_OpenEnd, ...]:
        passed = self.connect(ends, part.parts)
        self.arrows += [Arrow(end.box, part.addition, end.label) for end in passed]
        self.arrows += [Arrow(end.box, part.addition, is_residual=True) for end in ends]
        return (_OpenEnd(part.addition, part.addition.output),)
