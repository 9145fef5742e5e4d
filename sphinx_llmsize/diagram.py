"""Pipeline diagrams as data: boxes, forks of parallel boxes, and clusters of repeated boxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Union

from sphinx_llmsize.inline import Line


class BoxKind(Enum):
    """Kind of a box; decides its shape and colour."""

    DATA = "data"
    """Input or output of the model."""
    STEP = "step"
    """A step without weights, or whose weight shapes do not contain the highlighted symbol."""
    HIGHLIGHTED = "highlighted"
    """A step whose weight shapes contain the highlighted symbol."""


@dataclass(frozen=True)
class Box:
    """A step of a pipeline.

    Attributes:
        id: letters, digits and underscores; unique in the diagram.
        title: label of the step.
        kind: shape and colour.
        lines: shapes of its weights.
        output: shape of its output.
        name: id of the model's stage; several boxes may share it.
        reads: ids of boxes with arrows to this one; None is the preceding box, () a new column.
    """

    id: str
    title: str
    kind: BoxKind
    lines: tuple[str, ...] = ()
    output: str = ""
    name: str = ""
    reads: tuple[str, ...] | None = None

    def is_called(self, name: str) -> bool:
        """True if the name is the id of the box or of its stage."""
        return name in (self.id, self.name)


@dataclass(frozen=True)
class Fork:
    """Parallel chains of boxes with a common predecessor and successor."""

    branches: tuple[tuple[Part, ...], ...]


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
    def is_outer(self) -> bool:
        """True if it contains clusters."""
        return any(isinstance(part, Cluster) for part in self.parts)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Every box in the cluster, at any depth."""
        return tuple(boxes_of(self.parts))


Part = Union[Box, Fork, Cluster]


def boxes_of(parts: Iterable[Part]) -> Iterator[Box]:
    """Every box in order, at any depth."""
    for part in parts:
        if isinstance(part, Box):
            yield part
        elif isinstance(part, Fork):
            for branch in part.branches:
                yield from boxes_of(branch)
        else:
            yield from boxes_of(part.parts)


def ends_of(part: Part) -> tuple[Box, ...]:
    """Last boxes of a part, one for each branch; arrows to the next part start here."""
    if isinstance(part, Box):
        return (part,)
    if isinstance(part, Fork):
        return tuple(box for branch in part.branches for box in ends_of(branch[-1]))
    return ends_of(part.parts[-1])


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
class Diagram:
    """A pipeline diagram: parts, each with arrows to the next.

    Attributes:
        title: for screen readers.
        description: the diagram in words, for screen readers.
        items: parts in order.
        legend: meaning of the highlighting.
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
    def arrows(self) -> tuple[tuple[Box, Box], ...]:
        """Every arrow as a pair of boxes."""
        arrows: list[tuple[Box, Box]] = []
        _connect((), self.items, arrows, {box.id: box for box in self.boxes})
        return tuple(arrows)


def _connect(
    ends: tuple[Box, ...],
    parts: Iterable[Part],
    arrows: list[tuple[Box, Box]],
    boxes: Mapping[str, Box],
) -> tuple[Box, ...]:
    """Append the arrows from the open ends through the parts; return the new open ends."""
    for part in parts:
        if isinstance(part, Box):
            sources = ends if part.reads is None else [boxes[id] for id in part.reads]
            arrows += [(source, part) for source in sources]
            ends = (part,)
        elif isinstance(part, Fork):
            opened = [_connect(ends, branch, arrows, boxes) for branch in part.branches]
            ends = tuple(end for branch in opened for end in branch)
        else:
            ends = _connect(ends, part.parts, arrows, boxes)
    return ends
