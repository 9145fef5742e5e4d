"""Boxes of a pipeline that have a size in common: one width in line, one height side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized

from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Part, Residual, boxes_of


def steps_in_line(parts: Iterable[Part]) -> Iterator[Box]:
    """The boxes of steps in a chain, in its residual connections and in its clusters."""
    for part in parts:
        if isinstance(part, (Residual, Cluster)):
            yield from steps_in_line(part.parts)
        elif isinstance(part, Box) and part.kind is BoxKind.STEP:
            yield part


def common_rows(fork: Fork, texts_of: Callable[[Box], Sized]) -> dict[str, int]:
    """Number of text lines of boxes side by side, the same for all of them, by id.

    Empty if the branches aren't alike: lanes of two models, or chains of the same kinds of boxes.

    Args:
        fork: the fork.
        texts_of: returns the lines of text in a box.
    """
    lanes = [list(boxes_of(branch.parts)) for branch in fork.branches]
    is_comparison = any(box.mark for lane in lanes for box in lane)
    if not is_comparison and len(set(map(_kinds, fork.branches))) > 1:
        return {}
    rows = zip(*lanes, strict=False)  # boxes at the end of the longer lane have no neighbour
    return {box.id: max(len(texts_of(each)) for each in row) for row in rows for box in row}


def _kinds(branch: Branch) -> object:
    """Kinds of the boxes of a chain; for other branches, the branch itself, which is unlike any."""
    boxes = [part for part in branch.parts if isinstance(part, Box)]
    return tuple(b.kind for b in boxes) if len(boxes) == len(branch.parts) else branch
