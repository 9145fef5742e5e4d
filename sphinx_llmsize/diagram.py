"""Diagrams: boxes that lead to boxes, some of them clustered, some side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from sphinx_llmsize.blocks import Line


class BoxKind(Enum):
    """How a box of a diagram is drawn."""

    DATA = "data"
    """What goes in or comes out."""
    STEP = "step"
    """A computation whose weights, if any, do not have the highlighted symbol."""
    HIGHLIGHTED = "highlighted"
    """A step whose weights have the highlighted symbol in their shape."""


@dataclass(frozen=True)
class Box:
    """A step of a pipeline.

    Attributes:
        id: letters, digits and underscores; unique in the diagram.
        title: what the step is.
        kind: how it is drawn.
        lines: its weights' shapes.
        output: the shape of what leaves it.
        name: the step that it is, which other boxes may be too.
        reads: the ids of the boxes that lead to it, if that is not what stands before it.
    """

    id: str
    title: str
    kind: BoxKind
    lines: tuple[str, ...] = ()
    output: str = ""
    name: str = ""
    reads: tuple[str, ...] | None = None

    def is_called(self, name: str) -> bool:
        """Whether a reader may mean it by that name."""
        return name in (self.id, self.name)


@dataclass(frozen=True)
class Fork:
    """Chains of boxes side by side, which all follow what is before and lead to what is next."""

    branches: tuple[tuple[Part, ...], ...]


@dataclass(frozen=True)
class Cluster:
    """Parts that repeat together.

    Attributes:
        id: letters, digits and underscores; unique in the diagram.
        title: how often they repeat, ``× 32 layers``.
        parts: in order.
    """

    id: str
    title: str
    parts: tuple[Part, ...]

    @property
    def is_outer(self) -> bool:
        """Whether there are clusters in it."""
        return any(isinstance(part, Cluster) for part in self.parts)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Every box in it."""
        return tuple(boxes_of(self.parts))


Part = Union[Box, Fork, Cluster]


def boxes_of(parts: Iterable[Part]) -> Iterator[Box]:
    """Every box in order, wherever it stands."""
    for part in parts:
        if isinstance(part, Box):
            yield part
        elif isinstance(part, Fork):
            for branch in part.branches:
                yield from boxes_of(branch)
        else:
            yield from boxes_of(part.parts)


def ends_of(part: Part) -> tuple[Box, ...]:
    """The boxes that lead to what follows."""
    if isinstance(part, Box):
        return (part,)
    if isinstance(part, Fork):
        return tuple(box for branch in part.branches for box in ends_of(branch[-1]))
    return ends_of(part.parts[-1])


def clusters_of(parts: Iterable[Part]) -> Iterator[Cluster]:
    """Every cluster, outer ones before those in them."""
    for part in parts:
        if isinstance(part, Cluster):
            yield part
            yield from clusters_of(part.parts)


class Direction(Enum):
    """Which way a diagram runs."""

    LR = "LR"
    TB = "TB"


@dataclass(frozen=True)
class Diagram:
    """Boxes, clusters and forks, each leading to the next.

    Attributes:
        title: for screen readers.
        description: the same in words, for screen readers.
        items: in order.
        legend: what the highlighting means.
        direction: which way it runs.
    """

    title: str
    description: str
    items: tuple[Part, ...]
    legend: Line
    direction: Direction

    def __str__(self) -> str:
        """Its title: what a doctree shows of it."""
        return self.title

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """Every box in order, in a cluster or not."""
        return tuple(boxes_of(self.items))

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """Every cluster."""
        return tuple(clusters_of(self.items))

    @property
    def arrows(self) -> tuple[tuple[Box, Box], ...]:
        """Every pair of boxes of which the first leads to the second."""
        arrows: list[tuple[Box, Box]] = []
        _lead((), self.items, arrows, {box.id: box for box in self.boxes})
        return tuple(arrows)


def _lead(
    ends: tuple[Box, ...],
    parts: Iterable[Part],
    arrows: list[tuple[Box, Box]],
    named: Mapping[str, Box],
) -> tuple[Box, ...]:
    """Add the arrows from the open ends through the parts; returns the ends that are open then."""
    for part in parts:
        if isinstance(part, Box):
            sources = ends if part.reads is None else [named[id] for id in part.reads]
            arrows += [(source, part) for source in sources]
            ends = (part,)
        elif isinstance(part, Fork):
            opened = [_lead(ends, branch, arrows, named) for branch in part.branches]
            ends = tuple(end for branch in opened for end in branch)
        else:
            ends = _lead(ends, part.parts, arrows, named)
    return ends
