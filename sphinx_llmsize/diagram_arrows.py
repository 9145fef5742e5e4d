"""Arrows of pipeline diagrams, which follow from the order of the parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.diagram_tree import Fork, Gated, Part, Residual, boxes_of
from sphinx_llmsize.inline import Line


@dataclass(frozen=True)
class Arrow:
    """An arrow between two boxes.

    Attributes:
        start: box at its start.
        end: box at its head.
        label: text beside it: a shape, or the layers that take a branch.
        passes: residual connections and gates whose steps the arrow bypasses.
    """

    start: Box
    end: Box
    label: Line = ()
    passes: tuple[Residual | Gated, ...] = ()

    @property
    def is_residual(self) -> bool:
        """True for the arrow of a residual connection, which ends at the side of the sum."""
        return any(isinstance(part, Residual) for part in self.passes)


def arrows_of(parts: tuple[Part, ...]) -> tuple[Arrow, ...]:
    """Every arrow in order; those of residual connections after the steps they bypass."""
    collector = _ArrowCollector({box.id: box for box in boxes_of(parts)})
    collector.connect((), parts)
    return tuple(collector.arrows)


def length_of(parts: tuple[Part, ...], length_of_box: Callable[[Box], int] = lambda _box: 1) -> int:
    """Length of the longest way through the parts; by default, its number of boxes."""
    own = {box: length_of_box(box) for box in boxes_of(parts)}
    lengths = dict(own)  # of the longest way up to each box
    for arrow in arrows_of(parts):  # in order: all arrows to a box come before those from it
        lengths[arrow.end] = max(lengths[arrow.end], lengths[arrow.start] + own[arrow.end])
    return max(lengths.values())


@dataclass(frozen=True)
class _OpenEnd:
    """An arrow to the next box, which isn't known yet; attributes as in :class:`Arrow`."""

    start: Box
    label: Line = ()
    passes: tuple[Residual | Gated, ...] = ()


@dataclass
class _ArrowCollector:
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
            elif isinstance(part, Gated):
                ends = self._gated(ends, part)
            elif isinstance(part, Residual):
                ends = self._residual(ends, part)
            else:
                ends = self.connect(ends, part.parts)
        return ends

    def _box(self, ends: tuple[_OpenEnd, ...], box: Box) -> tuple[_OpenEnd, ...]:
        """Add the arrows to a box: from the open ends, or from the boxes that it reads instead."""
        if box.reads is not None:
            ends = self._ends_at(box.reads)
        ends = (*ends, *self._ends_at(box.also_reads))
        self.arrows += [
            Arrow(end.start, box, end.label, end.passes)
            for end in ends
            if end.start.kind is not BoxKind.HEADING
        ]
        return (_OpenEnd(box, box.output),)

    def _ends_at(self, ids: tuple[str, ...]) -> tuple[_OpenEnd, ...]:
        """Open ends at the boxes with these ids."""
        boxes = [self.boxes[id] for id in ids]
        return tuple(_OpenEnd(box, box.output) for box in boxes)

    def _fork(self, ends: tuple[_OpenEnd, ...], fork: Fork) -> tuple[_OpenEnd, ...]:
        """Add the arrows of each branch, and from the branches to their sum if there is one."""
        last: list[_OpenEnd] = []
        for branch in fork.branches:
            begin = tuple(replace(end, label=branch.label or end.label) for end in ends)
            last += self.connect(begin, branch.parts)
        if fork.addition:
            return self._box(tuple(last), fork.addition)
        return tuple(last)

    def _gated(self, ends: tuple[_OpenEnd, ...], part: Gated) -> tuple[_OpenEnd, ...]:
        """Add the arrows of gate and parts; without a gate, the open ends bypass the parts."""
        bypass = tuple(replace(end, passes=(*end.passes, part)) for end in ends)
        gate = self.connect(ends, part.gate) if part.gate else bypass
        return (*gate, *self.connect(ends, part.parts))

    def _residual(self, ends: tuple[_OpenEnd, ...], part: Residual) -> tuple[_OpenEnd, ...]:
        """Add the arrows of the parts, and from their input to the sum."""
        after = self.connect(ends, part.parts)
        self.arrows += [Arrow(end.start, part.addition, end.label, end.passes) for end in after]
        for end in ends:
            is_side_input = end.start.reads == ()  # such as relative positions, which aren't added
            if not is_side_input:
                self.arrows.append(Arrow(end.start, part.addition, passes=(*end.passes, part)))
        return (_OpenEnd(part.addition, part.addition.output),)
