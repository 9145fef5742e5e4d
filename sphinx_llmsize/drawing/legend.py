"""Legend of stacked bars: a coloured square and a label for each part. Lengths are in px."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil

from sphinx_llmsize.charts import BarPart
from sphinx_llmsize.drawing.palette import PARTS
from sphinx_llmsize.drawing.picture import BASELINE, LINE_HEIGHT, Area, Text, point, rectangle
from sphinx_llmsize.drawing.text_width import cut, text_width

SWATCH = 11
"""Side of a coloured square."""
TEXT_GAP = 6
"""Distance from a square to its label."""
LEAST_GAP, USUAL_GAP = 7, 24
"""Distance from a label to the next square: in the widest fonts at least, and in usual ones."""
USUAL_WIDTH = 0.86
"""Width of a label in usual fonts, relative to its estimate, which is that in the widest ones."""
ROUNDING = 1e-6
"""Tolerance for rounding errors in sums of widths."""


@dataclass(frozen=True)
class Legend:
    """A legend with positions; its upper left corner is that of the picture.

    Attributes:
        areas: the squares.
        texts: the labels.
        bottom: lower end of the last row.
    """

    areas: tuple[Area, ...]
    texts: tuple[Text, ...]
    bottom: float


def legend(parts: Sequence[BarPart], width: float, start: float) -> Legend:
    """A square and a label for each part, in rows.

    Args:
        parts: the parts, in order.
        width: available width.
        start: left end of a single row, if it fits there; other rows begin at 0.
    """
    areas: list[Area] = []
    texts: list[Text] = []
    labels = [cut(part.label, width - SWATCH - TEXT_GAP) for part in parts]
    columns = _columns([SWATCH + TEXT_GAP + text_width(label) for label in labels], width)
    is_single_row = len(columns) == len(parts)
    first_left = start if is_single_row and start + sum(columns) <= width else 0.0
    lefts = tuple(accumulate(columns, initial=first_left))
    for number, (part, label) in enumerate(zip(parts, labels, strict=True)):
        row, column = divmod(number, len(columns))
        left, middle = lefts[column], (row + 0.5) * LINE_HEIGHT
        square = rectangle(left, middle - SWATCH / 2, SWATCH, SWATCH)
        areas.append(Area(square, PARTS[part.colour]))
        texts.append(Text(point(left + SWATCH + TEXT_GAP, middle + BASELINE), label))
    rows = ceil(len(parts) / len(columns)) if parts else 0
    return Legend(tuple(areas), tuple(texts), rows * LINE_HEIGHT)


def _columns(widths: Sequence[float], room: float) -> list[float]:
    """Width of each column, including the gap after it, for as few rows as possible.

    The rows have equally many entries, except for the last. The list is empty without entries.

    Args:
        widths: width of each entry.
        room: available width.
    """
    for rows in range(1, len(widths) + 1):
        number = ceil(len(widths) / rows)
        columns = [max(widths[first::number]) for first in range(number)]
        available = (room - sum(columns)) / max(number - 1, 1)
        if available >= LEAST_GAP - ROUNDING or number == 1:
            *others, last = columns  # no gap after the last column
            even = [max(width + LEAST_GAP, width * USUAL_WIDTH + USUAL_GAP) for width in others]
            if sum(even) + last > room:
                even = [width + available for width in others]
            return [*even, last]
    return []
