"""Picture of a pipeline, in which boxes side by side are as wide as the column allows."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from functools import lru_cache

from sphinx_llmsize.diagram import Diagram, Direction
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
    if width == WIDE:
        return layout(diagram, sizing_of(diagram))
    diagram = replace(diagram, direction=Direction.TB)
    stretches = NO_STRETCH
    numbers_of_columns = sorted(set(diagram.columns.values()))
    for number in numbers_of_columns:
        if number > 1:
            stretches = _stretched(diagram, width, stretches, number)
    return layout(diagram, sizing_of(diagram, width, stretches))


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
