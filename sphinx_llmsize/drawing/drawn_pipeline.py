"""Drawn picture of a pipeline, whose boxes side by side are as wide as its column allows."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from functools import lru_cache

from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.drawing.pipeline_layout import layout
from sphinx_llmsize.drawing.pipeline_picture import PipelinePicture
from sphinx_llmsize.drawing.sizing import sizing
from sphinx_llmsize.drawing.spacing import MOST_WIDTH, NO_STRETCH, STRETCHES, Stretches
from sphinx_llmsize.picture_widths import WIDE


@lru_cache(maxsize=512)
def draw_pipeline(diagram: Diagram, width: int = WIDE) -> PipelinePicture:
    """Compute the picture of a pipeline for a column of width ``WIDE`` or ``NARROW``.

    It runs down in a narrow column, in which one to the right would have to scroll. Its boxes side
    by side are as wide as fits there.
    """
    if width == WIDE:
        return layout(diagram, sizing(diagram))
    diagram = replace(diagram, direction=Direction.TB)
    stretches = NO_STRETCH
    for number in sorted(set(diagram.columns.values()) - {0, 1}):
        stretches = _stretched(diagram, width, stretches, number)
    return layout(diagram, sizing(diagram, width, stretches))


def _stretched(diagram: Diagram, width: int, stretches: Stretches, number: int) -> Stretches:
    """The factors with the largest one that fits for boxes in this number of columns, if any."""

    def fits(stretch: float) -> bool:
        sizes = sizing(diagram, width, {**stretches, number: stretch})
        return layout(diagram, sizes).width <= MOST_WIDTH

    position = bisect_left(STRETCHES, True, key=fits)
    if position == len(STRETCHES):
        return stretches
    return {**stretches, number: STRETCHES[position]}
