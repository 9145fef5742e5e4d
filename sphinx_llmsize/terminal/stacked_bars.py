"""Charts: stacked bars of characters, and descriptions of curves in words."""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import log10

from rich.text import Text

from sphinx_llmsize.charts import Chart, Scale, StackedBar, StackedBars
from sphinx_llmsize.monospace import monospace_width
from sphinx_llmsize.terminal.texts import BOLD, MUTED, lines, side_by_side, text

COLOURS = ("blue", "yellow", "magenta", "cyan", "red", "green", "white", "bright_magenta")
"""Colours of the parts, by their index in the palette."""
GLYPHS = "█▓▒░▚╬╳○"
"""Characters of the parts where there are no colours, by their index in the palette."""
GAP = 2
"""Spaces before and after a bar."""
MIN_LENGTH = 10
"""Minimum length of the longest bar, in characters."""


def chart(block: Chart, width: int, *, has_colours: bool) -> Text:
    """A chart; curves are described in words, since a table has their numbers."""
    note = [text(block.note, MUTED)] if block.note else []
    if not isinstance(block, StackedBars):
        return lines([text(block.title, BOLD), text(block.description), *note])
    label_width = max((monospace_width(bar.label) for bar in block.bars), default=0)
    text_width = max((monospace_width(bar.text) for bar in block.bars), default=0)
    max_length = max(width - label_width - text_width - 2 * GAP, MIN_LENGTH)
    legend_items = (
        Text.assemble(_segment(i, 1, block, has_colours=has_colours), " ", text(part.label))
        for i, part in enumerate(block.parts)
    )
    legend = side_by_side(legend_items, width)
    rows = []
    for bar in block.bars:
        row = text(bar.label).append(" " * (label_width - monospace_width(bar.label) + GAP))
        length = max_length * _fraction(bar, block)
        sums = accumulate(bar.values, initial=0)
        ends = [round(length * partial_sum / (bar.total or 1)) for partial_sum in sums]
        for i, (start, end) in enumerate(pairwise(ends)):
            row.append_text(_segment(i, end - start, block, has_colours=has_colours))
        rows.append(row.append(" " * GAP).append_text(text(bar.text)))
    return lines([text(block.title, BOLD), legend, *rows, *note])


def _segment(part: int, length: int, block: StackedBars, *, has_colours: bool) -> Text:
    """Segment of a bar, also for the legend: the character of a part, ``length`` times.

    Args:
        part: index of the part.
        length: number of characters.
        block: the chart.
        has_colours: True if colours tell the parts apart, False if characters do.
    """
    colour = block.parts[part].colour % len(COLOURS)
    return Text(("█" if has_colours else GLYPHS[colour]) * length, COLOURS[colour])


def _fraction(bar: StackedBar, block: StackedBars) -> float:
    """Length of a bar relative to the longest."""
    longest = max(each.total for each in block.bars) or 1
    if block.scale is Scale.PERCENT:
        return 1.0
    if block.scale is Scale.LOG:
        return log10(max(bar.total, 1)) / (log10(longest) or 1)
    return bar.total / longest
