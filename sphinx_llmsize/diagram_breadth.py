"""Breadth of a diagram: boxes side by side, and the columns in which boxes of a fork stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_tree import Branch, Fork, Gated, Part, Residual


def breadth_of(parts: Iterable[Part]) -> int:
    """Largest number of boxes side by side."""
    return max((_breadth(part) for part in parts), default=0)


def _breadth(part: Part) -> int:
    if isinstance(part, Box):
        return 1
    if isinstance(part, Fork):
        return sum(map(_breadth_of_branch, part.branches))
    if isinstance(part, Gated):
        return max(breadth_of(part.gate), breadth_of(part.parts))
    return breadth_of(part.parts)


def _breadth_of_branch(branch: Branch) -> int:
    """Number of boxes side by side, with one more for the lines of residual connections."""
    has_residual = any(isinstance(part, Residual) for part in branch.parts)
    return breadth_of(branch.parts) + has_residual


def columns_of(parts: Iterable[Part], columns: int | None = None) -> Iterator[tuple[Box, int]]:
    """Pairs of a box and a number of columns, from which the width of its text follows.

    For a box in a fork, it is the number of columns side by side in the outermost fork. For a box
    with nothing but a line beside it, it is 1 or, for a gate beside a straight line, which has even
    less room, 0. Other boxes are left out.

    Args:
        parts: the parts.
        columns: number of columns of the fork around them; None if there is none.
    """
    for part in parts:
        if isinstance(part, Fork):
            own = _breadth(part) if len(part.branches) > 1 else None
            for branch in part.branches:
                yield from columns_of(branch.parts, own if columns is None else columns)
        elif isinstance(part, Gated):
            alone = 1 if part.is_narrow else 0
            is_in_line = part.is_narrow and part.gate and part.parts
            yield from columns_of(part.gate, columns if is_in_line else alone)
            yield from columns_of(part.parts, columns if is_in_line or not alone else alone)
        elif not isinstance(part, Box):
            yield from columns_of(part.parts, columns)
        elif columns is not None:
            yield part, columns
