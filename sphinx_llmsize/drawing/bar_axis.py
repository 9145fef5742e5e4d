"""Common axis of stacked bars: lengths, ticks and numbers below the last bar."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sphinx_llmsize.charts import Scale
from sphinx_llmsize.drawing.picture import BASELINE, LINE_HEIGHT, Anchor, Stroke, Text, point
from sphinx_llmsize.drawing.scales import (
    LinearScale,
    LogScale,
    decades,
    fitting_labels,
    linear_ticks,
)
from sphinx_llmsize.drawing.text_width import text_width
from sphinx_llmsize.formats import round_short

TICK = 4
"""Length of a tick mark below the axis."""
NUMBER_GAP = 6
"""Least distance between the numbers at two ticks."""
FULL = 100
"""End of the axis for shares, in percent."""


@dataclass(frozen=True)
class BarAxis:
    """Horizontal axis, as long as the longest bar.

    Attributes:
        scale: meaning of the lengths.
        totals: totals of the bars: at least one, all above 0.
        left: left end of all bars.
        right: right end of the longest bar.
    """

    scale: Scale
    totals: tuple[int, ...]
    left: float
    right: float

    def end(self, total: int) -> float:
        """Right end of a bar."""
        if not total:
            return self.left
        return self._positions.place(FULL if self.scale is Scale.PERCENT else total)

    def lines(self, top: float) -> Iterator[Stroke]:
        """The axis, and a mark at every tick."""
        yield Stroke((point(self.left, top), point(self.right, top)))
        for x in map(self._positions.place, self._ticks):
            yield Stroke((point(x, top), point(x, top + TICK)))

    def numbers(self, top: float) -> Iterator[Text]:
        """The numbers at the ticks, as many as fit."""
        unit = "%" if self.scale is Scale.PERCENT else ""
        labels = [f"{round_short(tick)}{unit}" for tick in self._ticks]
        places = [self._positions.place(tick) for tick in self._ticks]
        baseline = _baseline(top, 1)
        for index in fitting_labels(places, [text_width(label) for label in labels], NUMBER_GAP):
            # at the left edge of the picture, half of a centred number would be cut off
            anchor = Anchor.MIDDLE if places[index] > 0 else Anchor.START
            yield Text(point(places[index], baseline), labels[index], anchor)

    def title(self, label: str, top: float) -> Text:
        """The label of the axis, below its numbers."""
        middle = (self.left + self.right) / 2
        return Text(point(middle, _baseline(top, 2)), label, Anchor.MIDDLE)

    @cached_property
    def _ticks(self) -> tuple[int, ...]:
        """The totals or percentages that have a tick mark."""
        if self.scale is Scale.PERCENT:
            return linear_ticks(FULL)
        if self.scale is Scale.LOG:
            return decades(min(self.totals), max(self.totals))
        return linear_ticks(max(self.totals))

    @cached_property
    def _positions(self) -> LinearScale | LogScale:
        """Horizontal positions of totals or percentages."""
        longest = max(self.totals)
        if self.scale is Scale.PERCENT:
            return LinearScale(FULL, self.left, self.right)
        if self.scale is Scale.LOG:
            return LogScale(self._ticks[0], max(longest, 2), self.left, self.right)
        return LinearScale(longest, self.left, self.right)


def _baseline(top: float, line: int) -> float:
    """Baseline of a line of text below the axis; the first is 1."""
    return top + TICK + line * LINE_HEIGHT - BASELINE
