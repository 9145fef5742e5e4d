"""Arrangement of a diagram's boxes: forks, residual connections and clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Union

from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.inline import Line


@dataclass(frozen=True)
class Branch:
    """A chain of boxes in a fork.

    Attributes:
        parts: its contents, in order; at least one.
        label: label of the arrow to the first box, such as the layers that take this branch.
        remark: sentence below the diagram that lists these layers; empty for none.
    """

    parts: tuple[Part, ...]
    label: Line = ()
    remark: str = ""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Every box in the branch, at any depth."""
        return tuple(boxes_of(self.parts))

    @property
    def reads_input(self) -> bool:
        """True if it reads the input of the fork: there is an arrow to its first part."""
        first = self.parts[0]
        return not (isinstance(first, Box) and first.reads == ())

    @property
    def reads_other_columns(self) -> bool:
        """True if one of its boxes reads boxes in another column, such as those of an encoder."""
        return any(box.reads or box.also_reads for box in boxes_of(self.parts))

    @property
    def begins_with_input(self) -> bool:
        """True if its first box is an input of the model, such as positions."""
        first = self.parts[0]
        return isinstance(first, Box) and first.kind is BoxKind.DATA


@dataclass(frozen=True)
class Fork:
    """Branches with a common predecessor and successor: in parallel, or alternatives by layer.

    Attributes:
        branches: the branches, in order.
        addition: the box of the sum of all branches; None if they aren't added here.
        either: word at the fork of alternatives, such as ``or``; empty if branches are in parallel.
    """

    branches: tuple[Branch, ...]
    addition: Box | None = None
    either: str = ""

    @property
    def reads_input(self) -> bool:
        """True if a branch reads what is before the fork."""
        return any(branch.reads_input for branch in self.branches)

    @property
    def has_alternatives(self) -> bool:
        """True if each layer takes one of several branches, so that the word is drawn."""
        return bool(self.either) and len(self.branches) > 1

    @property
    def side_branches(self) -> tuple[Branch, ...]:
        """Branches that don't read the fork's input; they are drawn on both sides of the others."""
        return tuple(branch for branch in self.branches if not branch.reads_input)

    @property
    def ending_at_sides(self) -> tuple[Branch, ...]:
        """Branches whose lines end at a side of the sum; all other lines end in it from above.

        These are the side branches or, if there are none, the first and the last branch.
        """
        if not self.addition:
            return ()
        return self.side_branches or (self.branches[0], self.branches[-1])

    @property
    def has_line_above(self) -> bool:
        """True if the line of a branch ends in the sum from above."""
        return any(branch not in self.ending_at_sides for branch in self.branches)

    @property
    def from_left(self) -> tuple[Branch, ...]:
        """The branches in drawing order, from the left; from the top in a diagram to the right."""
        left = self.side_branches[: len(self.side_branches) // 2]
        return (*left, *(branch for branch in self.branches if branch not in left))


@dataclass(frozen=True)
class Gated:
    """Parts with a gate beside them: the next box reads the output of both.

    Attributes:
        gate: parts beside the line, such as an output gate. Empty for a state space whose result
            is multiplied with a part of its input: the next box also reads this input.
        parts: parts on the line; at least one.
        is_narrow: Mermaid draws a layout that needs less width: the gate comes after the parts.
            Without a gate, the parts are on the left and the line past them on the right.
    """

    gate: tuple[Part, ...]
    parts: tuple[Part, ...]
    is_narrow: bool = False


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
        remark: sentence below the diagram on layers that share boxes; empty for none.
    """

    id: str
    title: str
    parts: tuple[Part, ...]
    remark: str = ""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Every box in the cluster, at any depth."""
        return tuple(boxes_of(self.parts))

    @property
    def is_missing(self) -> bool:
        """True for the empty space beside a cluster that only the other model has."""
        return all(box.is_missing for box in self.boxes)


Part = Union[Box, Fork, Gated, Residual, Cluster]
"""Part of a diagram: a box, or an arrangement of parts."""


def boxes_of(parts: Iterable[Part]) -> Iterator[Box]:
    """Every box in order, at any depth."""
    for part in parts:
        if isinstance(part, Box):
            yield part
        elif isinstance(part, Fork):
            for branch in part.branches:
                yield from boxes_of(branch.parts)
            if part.addition:
                yield part.addition
        else:
            if isinstance(part, Gated):
                yield from boxes_of(part.gate)
            yield from boxes_of(part.parts)
            if isinstance(part, Residual):
                yield part.addition


def sequences_of(parts: Iterable[Part]) -> list[list[Part]]:
    """Split the parts before each box with an empty ``reads``, such as a decoder's token ids."""
    sequences: list[list[Part]] = []
    for part in parts:
        if not sequences or (isinstance(part, Box) and part.reads == ()):
            sequences.append([])
        sequences[-1].append(part)
    return sequences


def after_router(parts: Iterable[Part]) -> Box | None:
    """The box after a router that the parts begin with, in any branch; None without a router."""
    first, *others = parts
    if isinstance(first, Fork):
        found = (after_router(branch.parts) for branch in first.branches)
        return next(filter(None, found), None)
    is_router = isinstance(first, Box) and first.is_router
    return next(boxes_of(others), None) if is_router else None


def ends_of(part: Part) -> tuple[Box, ...]:
    """Last boxes of a part, one for each branch; arrows to the next part start here."""
    if isinstance(part, Box):
        return (part,)
    if isinstance(part, (Fork, Residual)) and part.addition:
        return (part.addition,)
    if isinstance(part, Fork):
        return tuple(box for branch in part.branches for box in ends_of(branch.parts[-1]))
    return ends_of(part.parts[-1])


def with_boxes(parts: Iterable[Part], change: Callable[[Box], Box]) -> tuple[Part, ...]:
    """The parts, with a function applied to every box except those of sums."""

    def changed(part: Part) -> Part:
        if isinstance(part, Box):
            return change(part)
        if isinstance(part, Fork):
            branches = (replace(b, parts=with_boxes(b.parts, change)) for b in part.branches)
            return replace(part, branches=tuple(branches))
        if isinstance(part, Gated):
            part = replace(part, gate=with_boxes(part.gate, change))
        return replace(part, parts=with_boxes(part.parts, change))

    return tuple(map(changed, parts))


def forks_of(parts: Iterable[Part]) -> Iterator[Fork]:
    """Every fork, outer ones before inner ones."""
    return (part for part in _parts_at_any_depth(parts) if isinstance(part, Fork))


def clusters_of(parts: Iterable[Part]) -> Iterator[Cluster]:
    """Every cluster, outer ones before inner ones."""
    return (part for part in _parts_at_any_depth(parts) if isinstance(part, Cluster))


def has_residual(parts: Iterable[Part]) -> bool:
    """True if there is a residual connection at any depth."""
    return any(isinstance(part, Residual) for part in _parts_at_any_depth(parts))


def _parts_at_any_depth(parts: Iterable[Part]) -> Iterator[Part]:
    """Every part other than gates and boxes of sums, outer ones before inner ones."""
    for part in parts:
        yield part
        if isinstance(part, Fork):
            for branch in part.branches:
                yield from _parts_at_any_depth(branch.parts)
        elif not isinstance(part, Box):
            yield from _parts_at_any_depth(part.parts)
