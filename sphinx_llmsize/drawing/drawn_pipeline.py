"""Picture of a pipeline, in which boxes side by side are as wide as the column allows."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_tree import Fork, Part
from sphinx_llmsize.drawing.narrow_columns import NarrowColumns, numbers_of_columns
from sphinx_llmsize.drawing.pipeline_layout import layout
from sphinx_llmsize.drawing.pipeline_picture import PipelinePicture
from sphinx_llmsize.drawing.sizing import sizing_of
from sphinx_llmsize.drawing.spacing import MOST_WIDTH, Alignment, ColumnFit, Fits
from sphinx_llmsize.picture_widths import WIDE


@lru_cache(maxsize=512)
def draw_pipeline(diagram: Diagram, width: int = WIDE) -> PipelinePicture:
    """Compute the picture of a pipeline for a column of width ``WIDE`` or ``NARROW``.

    In a narrow column, the pipeline always runs down, so that the reader needn't scroll sideways,
    and its boxes side by side are as wide as fits.
    """
    with_columns = replace(diagram, items=_with_equal_columns(diagram.items))
    if width == WIDE:
        shown = with_columns if diagram.direction is Direction.TB else diagram
        return _wide_picture(shown)
    picture = _narrow_picture(with_columns, width)
    if picture.width <= MOST_WIDTH or with_columns == diagram:
        return picture
    return _narrow_picture(diagram, width)


def _wide_picture(diagram: Diagram) -> PipelinePicture:
    """The picture in a wide column, with boxes of equal or similar widths if they fit."""
    if diagram.direction is Direction.TB:
        for alignment in (Alignment.EQUAL, Alignment.BY_POSITION):
            fit = ColumnFit(alignment=alignment)
            fits = dict.fromkeys(numbers_of_columns(diagram), fit)
            picture = layout(diagram, sizing_of(diagram, WIDE, fits))
            if picture.width <= WIDE:
                return picture
    return layout(diagram, sizing_of(diagram))


def _narrow_picture(diagram: Diagram, width: int) -> PipelinePicture:
    """The picture in a narrow column, with the widest boxes that fit."""
    diagram = replace(diagram, direction=Direction.TB)
    fits: Fits = {}
    for number in numbers_of_columns(diagram):
        fits = {**fits, number: NarrowColumns(diagram, width, fits, number).best_fit}
    return layout(diagram, sizing_of(diagram, width, fits))


def _with_equal_columns(items: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts; a sum of two embeddings at the beginning stands in the middle below both.

    The input of the first embedding is then above it, as that of the second is.
    """
    match items:
        case (Box() as tokens, Fork(branches=(first, second), addition=Box()) as sum, *others):
            if len(first.parts) == 1 and isinstance(first.parts[0], Box) and not second.reads_input:
                column = replace(first, parts=(replace(tokens, reads=()), *first.parts))
                return (replace(sum, branches=(column, second)), *others)
    return items
