"""Breadth of a diagram: boxes side by side, and columns of the fork around each box."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_tree import Branch, Fork, Gated, Part, Residual


def breadth_of(parts: Iterable[Part]) -> int:
    """Largest number of boxes side by side."""
    return max(map(_breadth_of_part, parts), default=0)


def _breadth_of_part(part: Part) -> int:
    """Largest number of boxes side by side in a part."""
    if isinstance(part, Box):
        return 1
    if isinstance(part, Fork):
        return sum(map(_breadth_of_branch, part.branches))
    if isinstance(part, Gated):
        return max(breadth_of(part.gate), breadth_of(part.parts))
    return breadth_of(part.parts)


def _breadth_of_branch(branch: Branch) -> int:
    """Largest number of boxes side by side; lines of residual connections count as one more."""
    breadth = breadth_of(branch.parts)
    has_residual = any(isinstance(part, Residual) for part in branch.parts)
    return breadth + 1 if has_residual else breadth


def columns_of(parts: Iterable[Part], columns: int | None = None) -> Iterator[tuple[Box, int]]:
    """Pairs of a box in a fork and a number of columns, which limits the width of its text.

    The number is that of the columns side by side in the outermost fork. Two other numbers stand
    for columns of other widths: 1 for boxes with only a line beside them, and 0 for a gate beside
    a straight line, which has the least space. Boxes outside forks are left out.

    Args:
        parts: the parts.
        columns: number for boxes in these parts; None outside forks.
    """
    for part in parts:
        if isinstance(part, Box):
            if columns is not None:
                yield part, columns
        elif isinstance(part, Fork):
            inner = columns
            if columns is None and len(part.branches) > 1:
                # lines of residual connections need no column, unlike boxes
                inner = sum(breadth_of(branch.parts) for branch in part.branches)
            for branch in part.branches:
                yield from columns_of(branch.parts, inner)
        elif isinstance(part, Gated):
            yield from _columns_of_gated(part, columns)
        else:
            yield from columns_of(part.parts, columns)


def _columns_of_gated(part: Gated, columns: int | None) -> Iterator[tuple[Box, int]]:
    """The pairs for a gate and its parts, as from :func:`columns_of`."""
    if not part.is_narrow:
        yield from columns_of(part.gate, 0)
        yield from columns_of(part.parts, columns)
    elif part.gate and part.parts:  # one after the other
        yield from columns_of((*part.gate, *part.parts), columns)
    else:
        yield from columns_of(part.gate or part.parts, 1)
