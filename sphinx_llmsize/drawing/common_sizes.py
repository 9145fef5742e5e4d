"""Boxes of a pipeline that have a size in common: one width in line, one height side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized

from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Part, Residual, boxes_of
from sphinx_llmsize.drawing.spacing import UNFITTED, Alignment, Fits


def steps_in_line(parts: Iterable[Part]) -> Iterator[Box]:
    """The boxes of steps in a chain, in its residual connections and in its clusters."""
    for part in parts:
        if isinstance(part, (Residual, Cluster)):
            yield from steps_in_line(part.parts)
        elif isinstance(part, Box) and part.kind is BoxKind.STEP:
            yield part


def widths_side_by_side(
    diagram: Diagram, fits: Fits, width_of: Callable[[Box], float]
) -> dict[Box, float]:
    """The width that steps in forks have in common, by their alignment.

    Args:
        diagram: the diagram.
        fits: the alignments, by the number of columns side by side.
        width_of: returns the width that a box needs.
    """
    columns = diagram.columns
    groups: dict[tuple[int, ...], list[Box]] = {}
    for box, positions in _steps_in_forks(diagram.items):
        number = columns.get(box, 1)
        alignment = fits.get(number, UNFITTED).alignment
        if alignment is Alignment.EQUAL:
            groups.setdefault((number,), []).append(box)
        elif alignment is Alignment.BY_POSITION:
            groups.setdefault((number, *positions), []).append(box)
    widths: dict[Box, float] = {}
    for (number, *_positions), boxes in groups.items():
        least = fits.get(number, UNFITTED).least_width
        widths |= dict.fromkeys(boxes, max(least, *map(width_of, boxes)))
    return widths


def _steps_in_forks(
    parts: Iterable[Part], positions: tuple[int, ...] = ()
) -> Iterator[tuple[Box, tuple[int, ...]]]:
    """Each step in a fork, with the position of its branch in each of the forks around it."""
    for part in parts:
        if isinstance(part, Fork):
            for position, branch in enumerate(part.from_left):
                yield from _steps_in_forks(branch.parts, (*positions, position))
        elif not isinstance(part, Box):
            yield from _steps_in_forks(part.parts, positions)
        elif part.kind is BoxKind.STEP and positions:
            yield part, positions


def common_rows(fork: Fork, texts_of: Callable[[Box], Sized]) -> dict[str, int]:
    """Number of text lines that a box in a fork has room for, by its id.

    It is the same for boxes side by side, so that they have the same height. The result is empty
    unless the branches are two models that are compared, or chains of the same kinds of boxes.

    Args:
        fork: the fork.
        texts_of: returns the lines of text in a box.
    """
    boxes_of_branches = [list(boxes_of(branch.parts)) for branch in fork.branches]
    is_comparison = any(box.mark for boxes in boxes_of_branches for box in boxes)
    if not is_comparison and not _are_alike(fork.branches):
        return {}
    rows: dict[str, int] = {}
    # boxes at the end of a longer branch have none beside them
    for side_by_side in zip(*boxes_of_branches, strict=False):
        most_lines = max(len(texts_of(box)) for box in side_by_side)
        for box in side_by_side:
            rows[box.id] = most_lines
    return rows


def _are_alike(branches: Iterable[Branch]) -> bool:
    """True if the branches are chains of boxes, with the same kinds of boxes in the same order."""
    chains = set()
    for branch in branches:
        boxes = [part for part in branch.parts if isinstance(part, Box)]
        if len(boxes) < len(branch.parts):
            return False
        chains.add(tuple(box.kind for box in boxes))
    return len(chains) == 1
