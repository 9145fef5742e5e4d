"""Layout of charts and diagrams: positions of lines, areas and texts, for both SVG and TeX.

Lengths are in px of SVG. TeX scales its picture, which has the same numbers.
"""

from __future__ import annotations

from typing import overload

from sphinx_llmsize.charts import Chart, Curves, StackedBars
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.drawing.bars import BarGeometry
from sphinx_llmsize.drawing.curves import CurveGeometry
from sphinx_llmsize.drawing.drawn_pipeline import draw_pipeline
from sphinx_llmsize.drawing.picture import Picture
from sphinx_llmsize.drawing.pipeline_picture import PipelinePicture
from sphinx_llmsize.picture_widths import WIDE


@overload
def draw(block: Chart, width: int = WIDE) -> Picture: ...
@overload
def draw(block: Diagram, width: int = WIDE) -> PipelinePicture: ...
def draw(block: Chart | Diagram, width: int = WIDE) -> Picture | PipelinePicture:
    """Compute the picture of a chart or diagram for a column of width ``WIDE`` or ``NARROW``."""
    if isinstance(block, Diagram):
        return draw_pipeline(block, width)
    if isinstance(block, StackedBars):
        return BarGeometry(block, width).picture
    assert isinstance(block, Curves)
    return CurveGeometry(block, width).picture
