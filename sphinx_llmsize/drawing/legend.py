"""Legend of stacked bars: a coloured square and a label for each part."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.charts import BarPart
from sphinx_llmsize.drawing.palette import PARTS
from sphinx_llmsize.drawing.picture import BASELINE, LINE_HEIGHT, Area, Text, box, point
from sphinx_llmsize.drawing.text_width import cut, text_width

SWATCH = 11
"""Side of a coloured square."""
TEXT_GAP = 6
"""Distance from a square to its label."""
ENTRY_GAP = 12
"""Distance from a label to the next square."""


def legend(
    parts: Sequence[BarPart], width: float, start: float
) -> tuple[list[Area], list[Text], float]:
    """A square and a label for each part, in rows, and the lower end of the rows.

    Args:
        parts: the parts, in order.
        width: available width.
        start: where a single row begins if it then fits; several rows begin at 0.
    """
    areas: list[Area] = []
    texts: list[Text] = []
    labels = [cut(part.label, width - SWATCH - TEXT_GAP) for part in parts]
    widths = [SWATCH + TEXT_GAP + text_width(label) for label in labels]
    first = start if start + sum(widths) + ENTRY_GAP * (len(parts) - 1) <= width else 0.0
    left, row = first, 0
    for part, label, needed in zip(parts, labels, widths, strict=True):
        if left > first and left + needed > width:
            left, row = first, row + 1
        middle = (row + 0.5) * LINE_HEIGHT
        areas.append(Area(box(left, middle - SWATCH / 2, SWATCH, SWATCH), PARTS[part.colour]))
        texts.append(Text(point(left + SWATCH + TEXT_GAP, middle + BASELINE), label))
        left += needed + ENTRY_GAP
    return areas, texts, (row + 1) * LINE_HEIGHT if areas else 0
