"""Arrows of pipeline diagrams, which follow from the order of the parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Union

from sphinx_llmsize.diagram_boxes import (
    Box,
    BoxKind,
    Cluster,
    Fork,
    Part,
    Residual,
    boxes_of,
)
from sphinx_llmsize.inline import Line


@dataclass(frozen=True)
class Arrow:
    """An arrow between two boxes.

    Attributes:
        start: box at its start.
        end: box at its head.
        label: text beside it: a shape, or the layers that take a branch.
        is_residual: the arrow passes the parts of a residual connection.
        is_label_left: the text is to the left of the arrow, where a branch turns left.
    """

    start: Box
    end: Box
    label: Line = ()
    is_residual: bool = False
    is_label_left: bool = False


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
    """Arrows, joints and guides for Mermaid, of which those to the left come first."""
    found = _Connections({box.id: box for box in boxes_of(parts)}, has_joints=True)
    found.connect((), parts)
    return tuple(found.found)


@dataclass(frozen=True)
class _OpenEnd:
    """Start of an arrow whose head isn't known yet; ``label`` replaces the box's output."""

    box: Box
    label: Line = ()
    is_label_left: bool = False


@dataclass
class _Connections:
    """Collects the arrows and guides of a diagram.

    Attributes:
        boxes: every box by its id.
        has_joints: lines fork, join and cross frames in joints, with guides beside them.
        found: the arrows and guides so far.
    """

    boxes: dict[str, Box]
    has_joints: bool = False
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
        self._arrows(ends, box)
        return (_OpenEnd(box, box.output),)

    def _arrows(self, ends: Iterable[_OpenEnd], box: Box) -> None:
        self.found += [
            Arrow(end.box, box, end.label, is_label_left=end.is_label_left) for end in ends
        ]

    def _below(self, end: _OpenEnd) -> tuple[Box, ...]:
        """Boxes that read the last box of an encoder, which stands above its decoder."""
        readers = self.boxes.values()
        return tuple(b for b in readers if end.box.id in (*(b.reads or ()), *b.also_reads))

    def _ends_at(self, ids: tuple[str, ...]) -> tuple[_OpenEnd, ...]:
        return tuple(_OpenEnd(self.boxes[id], self.boxes[id].output) for id in ids)

    def _fork(self, ends: tuple[_OpenEnd, ...], fork: Fork) -> tuple[_OpenEnd, ...]:
        opened: list[_OpenEnd] = []
        branches = fork.from_left if self.has_joints else fork.branches
        has_guides = len(fork.beside) % 2 == 0  # inputs on both sides, as many on each
        for number, branch in enumerate(branches):
            is_left = 2 * (number + 1) <= len(fork.branches)
            begin = tuple(_OpenEnd(end.box, branch.label or end.label, is_left) for end in ends)
            if not branch.has_input and not has_guides:
                begin = ()
            if self.has_joints and branch.label and isinstance(branch.parts[0], Fork):
                begin = self._box(begin, _joint(f"{next(boxes_of(branch.parts)).id}_fork"))
            closed = self.connect(begin, branch.parts)
            if self.has_joints and branch.label and isinstance(branch.parts[-1], Fork):
                closed = self._box(closed, _joint(f"{closed[0].box.id}_sum"))
            opened += closed
        return self._box(tuple(opened), fork.addition) if fork.addition else tuple(opened)

    def _residual(self, ends: tuple[_OpenEnd, ...], part: Residual) -> tuple[_OpenEnd, ...]:
        addition = part.addition
        if self.has_joints and any(end.box.kind is not BoxKind.ADDITION for end in ends):
            ends = self._box(ends, _joint(f"{addition.id}_from"))
        # a guide to the left of the parts balances the residual arrow to the right of them
        self.found += [Guide(end.box, addition) for end in ends]
        passed = self.connect(ends, part.parts)
        if self.has_joints and len(passed) > 1:
            passed = self._box(passed, _joint(f"{addition.id}_join"))
        self._arrows(passed, addition)
        # an input beside the others, such as relative positions, is only read by the parts
        added = (end.box for end in ends if end.box.reads != ())
        self.found += [Arrow(box, addition, is_residual=True) for box in added]
        return (_OpenEnd(addition, addition.output),)

    def _cluster(self, ends: tuple[_OpenEnd, ...], part: Cluster) -> tuple[_OpenEnd, ...]:
        if not self.has_joints:
            return self.connect(ends, part.parts)
        begin, end = _joint(f"{part.id}_begin"), _joint(f"{part.id}_end")
        side = Guide(begin, end, is_visible=True)
        self._arrows(ends, begin)
        # Mermaid places lines from left to right: one side before the parts, one after them
        self.found.append(side)
        ends = self.connect((_OpenEnd(begin, (part.title,), is_label_left=True),), part.parts)
        ends = self._box(ends, end)
        self.found.append(side)
        return ends


def _joint(id: str) -> Box:
    """A point of Mermaid's layout where lines meet."""
    return Box(id, "", BoxKind.JOINT)
