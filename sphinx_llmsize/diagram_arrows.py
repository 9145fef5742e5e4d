"""Arrows of pipeline diagrams, which follow from the order of the parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Union

from sphinx_llmsize.diagram_boxes import Box, Cluster, Fork, Part, Residual, boxes_of
from sphinx_llmsize.inline import Line


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
class Guide:
    """A line beside a chain of boxes, which keeps the chain straight in layouts by Mermaid.

    Mermaid places a box below the middle one of the lines that end in it. Guides on both sides
    make the chain that middle one.

    Attributes:
        start: box at its start.
        end: box at its end.
        is_visible: the line is a side of a cluster's frame.
    """

    start: Box
    end: Box
    is_visible: bool = False


Connection = Union[Arrow, Guide]


def arrows_of(parts: tuple[Part, ...]) -> tuple[Arrow, ...]:
    """Every arrow in order; those of residual connections after the steps they pass."""
    found = _Connections({box.id: box for box in boxes_of(parts)})
    found.connect((), parts)
    return tuple(each for each in found.found if isinstance(each, Arrow))


def guided_arrows_of(parts: tuple[Part, ...]) -> tuple[Connection, ...]:
    """Arrows and guides, of which those to the left come first; clusters begin and end in boxes."""
    found = _Connections({box.id: box for box in boxes_of(parts)}, clusters_are_drawn=True)
    found.connect((), parts)
    return tuple(found.found)


@dataclass(frozen=True)
class _OpenEnd:
    """Start of an arrow whose head isn't known yet; ``label`` replaces the box's output."""

    box: Box
    label: Line


@dataclass
class _Connections:
    """Collects the arrows and guides of a diagram.

    Attributes:
        boxes: every box by its id.
        clusters_are_drawn: arrows into and out of a cluster pass its title and its end.
        found: the arrows and guides so far.
    """

    boxes: dict[str, Box]
    clusters_are_drawn: bool = False
    found: list[Connection] = field(default_factory=list)

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
                ends = self._cluster(ends, part)
        return ends

    def _box(self, ends: tuple[_OpenEnd, ...], box: Box) -> tuple[_OpenEnd, ...]:
        if box.reads is not None:
            if not box.reads:  # a decoder's first box: guides keep it below its encoder
                self.found += [Guide(end.box, below) for end in ends for below in self._below(end)]
                self.found += [Guide(end.box, box) for end in ends]
            ends = self._ends_at(box.reads)
        ends = (*ends, *self._ends_at(box.also_reads))
        self.found += [Arrow(end.box, box, end.label) for end in ends]
        return (_OpenEnd(box, box.output),)

    def _below(self, end: _OpenEnd) -> tuple[Box, ...]:
        """Boxes that read the last box of an encoder, which stands above its decoder."""
        readers = self.boxes.values()
        return tuple(b for b in readers if end.box.id in (*(b.reads or ()), *b.also_reads))

    def _ends_at(self, ids: tuple[str, ...]) -> tuple[_OpenEnd, ...]:
        return tuple(_OpenEnd(self.boxes[id], self.boxes[id].output) for id in ids)

    def _fork(self, ends: tuple[_OpenEnd, ...], fork: Fork) -> tuple[_OpenEnd, ...]:
        opened: list[_OpenEnd] = []
        for branch in fork.branches:
            begin = tuple(_OpenEnd(end.box, branch.label or end.label) for end in ends)
            opened += self.connect(begin, branch.parts)
        return tuple(opened)

    def _residual(self, ends: tuple[_OpenEnd, ...], part: Residual) -> tuple[_OpenEnd, ...]:
        self.found += [Guide(end.box, part.addition) for end in ends]
        passed = self.connect(ends, part.parts)
        self.found += [Arrow(end.box, part.addition, end.label) for end in passed]
        self.found += [Arrow(end.box, part.addition, is_residual=True) for end in ends]
        return (_OpenEnd(part.addition, part.addition.output),)

    def _cluster(self, ends: tuple[_OpenEnd, ...], part: Cluster) -> tuple[_OpenEnd, ...]:
        if not self.clusters_are_drawn:
            return self.connect(ends, part.parts)
        side = Guide(part.begin, part.end, is_visible=True)
        ends = self._box(ends, part.begin)
        self.found.append(side)
        ends = self._box(self.connect(ends, part.parts), part.end)
        self.found.append(side)
        return ends
