"""Picture of a pipeline, in which boxes side by side are as wide as the column allows."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from functools import lru_cache

from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_tree import Fork, Part
from sphinx_llmsize.drawing.pipeline_layout import layout
from sphinx_llmsize.drawing.pipeline_picture import PipelinePicture
from sphinx_llmsize.drawing.sizing import sizing_of
from sphinx_llmsize.drawing.spacing import MOST_WIDTH, NO_STRETCH, STRETCHES, Stretches
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
        return layout(shown, sizing_of(shown))
    picture = _narrow_picture(with_columns, width)
    if picture.width <= MOST_WIDTH or with_columns == diagram:
        return picture
    return _narrow_picture(diagram, width)


def _narrow_picture(diagram: Diagram, width: int) -> PipelinePicture:
    """The picture in a narrow column, with the widest boxes that fit."""
    diagram = replace(diagram, direction=Direction.TB)
    stretches = NO_STRETCH
    numbers_of_columns = sorted(set(diagram.columns.values()))
    for number in numbers_of_columns:
        if number > 1:
            stretches = _stretched(diagram, width, stretches, number)
    return layout(diagram, sizing_of(diagram, width, stretches))


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


def _stretched(diagram: Diagram, width: int, stretches: Stretches, number: int) -> Stretches:
    """The factors, with the largest factor that fits for boxes in this number of columns.

    No factor is added if none fits.
    """

    def fits(stretch: float) -> bool:
        """True if a picture with this factor isn't too wide."""
        sizes = sizing_of(diagram, width, {**stretches, number: stretch})
        return layout(diagram, sizes).width <= MOST_WIDTH

    # the factors descend: from the first that fits on, all fit
    position = bisect_left(STRETCHES, True, key=fits)
    if position == len(STRETCHES):
        return stretches
    return {**stretches, number: STRETCHES[position]}
