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
ENTRY_GAPS = (7, 12)
"""Least and usual distance from a label to the next square."""
ROUNDING = 1e-6


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
    room = (width - sum(widths)) / max(len(parts) - 1, 1)
    gap = min(max(room, ENTRY_GAPS[0]), ENTRY_GAPS[1])
    first = start if start + sum(widths) + gap * (len(parts) - 1) <= width else 0.0
    left, row = first, 0
    for part, label, needed in zip(parts, labels, widths, strict=True):
        if left > first and left + needed > width + ROUNDING:
            left, row = first, row + 1
        middle = (row + 0.5) * LINE_HEIGHT
        areas.append(Area(box(left, middle - SWATCH / 2, SWATCH, SWATCH), PARTS[part.colour]))
        texts.append(Text(point(left + SWATCH + TEXT_GAP, middle + BASELINE), label))
        left += needed + gap
    return areas, texts, (row + 1) * LINE_HEIGHT if areas else 0
