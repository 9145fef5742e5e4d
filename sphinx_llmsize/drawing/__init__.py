"""Drawing of charts and diagrams: positions of lines, areas and texts, for every medium."""

from __future__ import annotations

from functools import lru_cache

from sphinx_llmsize.charts import Chart, Curves, StackedBars
from sphinx_llmsize.drawing.bars import draw_bars
from sphinx_llmsize.drawing.curves import draw_curves
from sphinx_llmsize.drawing.picture import Picture


@lru_cache(maxsize=512)
def draw(chart: Chart) -> Picture:
    """The picture of a chart."""
    if isinstance(chart, StackedBars):
        return draw_bars(chart)
    assert isinstance(chart, Curves)
    return draw_curves(chart)
