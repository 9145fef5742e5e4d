"""Stacked bars: a legend, labelled bars, and a common axis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from sphinx_llmsize.charts import WIDE, BarPart, Scale, StackedBar, StackedBars
from sphinx_llmsize.drawing.legend import legend
from sphinx_llmsize.drawing.palette import PARTS, ink
from sphinx_llmsize.drawing.picture import (
    BASELINE,
    LINE_HEIGHT,
    Anchor,
    Area,
    Picture,
    Stroke,
    Text,
    box,
    point,
)
from sphinx_llmsize.drawing.scales import (
    LinearScale,
    LogScale,
    decades,
    fitting_labels,
    linear_ticks,
)
from sphinx_llmsize.drawing.text_width import cut, text_width, wrapped
from sphinx_llmsize.formats import percent, round_short, short

THICKNESS = 20
BETWEEN = 10
"""Distance between a bar and the next label or bar."""
GAP = 1.5
"""Gap between segments, which separates them even without colours."""
TEXT_GAP = 6
LABEL_SHARE = 0.28
"""Maximum width of a label beside its bar relative to the width of the picture."""
END_WIDTH = 120
"""Maximum width of the text at the end of a bar."""
LEGEND_GAP = 6
"""Distance from the legend to the tick lines below it."""
TICK = 4
"""Length of a tick mark above and below a bar."""
FULL = 100
"""End of the axis for shares, in percent."""


@dataclass(frozen=True)
class _Segment:
    """A part of a bar with its position."""

    part: BarPart
    value: int
    left: float
    width: float


@dataclass(frozen=True)
class _Row:
    """A bar with its label.

    Attributes:
        bar: the bar.
        label: lines of its label.
        bar_top: upper edge of the bar.
        top: upper end of its tick lines.
        bottom: lower end of its tick lines.
    """

    bar: StackedBar
    label: tuple[str, ...]
    bar_top: float
    top: float
    bottom: float

    @property
    def middle(self) -> float:
        """Vertical centre of the bar."""
        return self.bar_top + THICKNESS / 2


@dataclass(frozen=True)
class BarGeometry:
    """Positions of everything in a chart of stacked bars.

    Labels are beside their bars in a wide picture, and above them in a narrow one.
    """

    chart: StackedBars
    width: int

    @property
    def picture(self) -> Picture:
        """The picture of the chart."""
        areas, texts, bottom = legend(self.chart.parts, self.width, self._left)
        strokes: list[Stroke] = []
        for row in self._rows(bottom + LEGEND_GAP if self._is_beside else bottom):
            texts += (*self._label(row), *self._numbers(row))
            areas += self._segment_areas(row)
            strokes += self._tick_lines(row)
            bottom = row.bottom
        axis = tuple(self._axis(bottom))
        return Picture(
            title=self.chart.title,
            description=self.chart.description,
            height=axis[-1].at[1] + BETWEEN,
            strokes=tuple(strokes),
            areas=tuple(areas),
            texts=(*texts, *axis),
            width=self.width,
        )

    @property
    def _is_percent(self) -> bool:
        return self.chart.scale is Scale.PERCENT

    @property
    def _is_beside(self) -> bool:
        return self.width >= WIDE

    @cached_property
    def _labels(self) -> tuple[tuple[str, ...], ...]:
        """Lines of each bar's label."""
        width = self.width * LABEL_SHARE if self._is_beside else self.width
        return tuple(wrapped(bar.label, width) for bar in self.chart.bars)

    @cached_property
    def _left(self) -> float:
        """Left end of the bars."""
        if not self._is_beside:
            return 0
        return TEXT_GAP + max(
            (text_width(line) for lines in self._labels for line in lines), default=0
        )

    @cached_property
    def _right(self) -> float:
        """Right end of the longest bar; the text at the end of a bar fits beside it."""
        texts = (_end_text(bar) for bar in self.chart.bars)
        return self.width - TEXT_GAP - max(map(text_width, texts), default=0)

    @cached_property
    def _totals(self) -> tuple[int, ...]:
        return tuple(bar.total for bar in self.chart.bars if bar.total) or (1,)

    @cached_property
    def _ticks(self) -> tuple[int, ...]:
        if self._is_percent:
            return linear_ticks(FULL)
        if self.chart.scale is Scale.LOG:
            return decades(min(self._totals), max(self._totals))
        return linear_ticks(max(self._totals))

    @cached_property
    def _scale(self) -> LinearScale | LogScale:
        """Position of a bar's end, by its total or in percent."""
        if self._is_percent:
            return LinearScale(FULL, self._left, self._right)
        longest = max(self._totals)
        if self.chart.scale is Scale.LOG:
            return LogScale(self._ticks[0], max(longest, 2), self._left, self._right)
        return LinearScale(longest, self._left, self._right)

    def _end(self, bar: StackedBar) -> float:
        """Right end of a bar."""
        if not bar.total:
            return self._left
        return self._scale.place(FULL if self._is_percent else bar.total)

    def _rows(self, start: float) -> Iterator[_Row]:
        for bar, label in zip(self.chart.bars, self._labels, strict=True):
            height = len(label) * LINE_HEIGHT
            if self._is_beside:
                bottom = start + max(THICKNESS, height) + BETWEEN
                bar_top = (start + bottom - THICKNESS) / 2
                yield _Row(bar, label, bar_top, start, bottom)
                start = bottom
            else:
                bar_top = start + BETWEEN + height + TICK
                end = bar_top + THICKNESS
                yield _Row(bar, label, bar_top, bar_top - TICK, end + TICK)
                start = end

    def _segments(self, bar: StackedBar) -> Iterator[_Segment]:
        starts = accumulate(bar.values, initial=0)
        length = self._end(bar) - self._left
        for part, value, start in zip(self.chart.parts, bar.values, starts, strict=False):
            if value:
                left, width = start / bar.total * length, value / bar.total * length
                yield _Segment(part, value, self._left + left, width)

    def _segment_areas(self, row: _Row) -> Iterator[Area]:
        for segment in self._segments(row.bar):
            share = percent(segment.value / row.bar.total)
            tip = f"{row.bar.label}, {segment.part.label}: {short(segment.value)} ({share})"
            width = segment.width - GAP if segment.width > 2 * GAP else segment.width
            corners = box(segment.left, row.bar_top, width, THICKNESS)
            yield Area(corners, PARTS[segment.part.colour], tip)

    def _label(self, row: _Row) -> Iterator[Text]:
        if self._is_beside:
            x, anchor = self._left - TEXT_GAP, Anchor.END
            first = row.middle - (len(row.label) - 1) * LINE_HEIGHT / 2 + BASELINE
        else:
            x, anchor = 0.0, Anchor.START
            first = row.top - BASELINE - (len(row.label) - 1) * LINE_HEIGHT
        for number, line in enumerate(row.label):
            yield Text(point(x, first + number * LINE_HEIGHT), line, anchor)

    def _numbers(self, row: _Row) -> Iterator[Text]:
        """Numbers in the segments with enough room, and the text at the end."""
        baseline = row.middle + BASELINE
        for segment in self._segments(row.bar):
            value = segment.value
            has_shares = self.chart.scale is not Scale.ABSOLUTE
            text = percent(value / row.bar.total) if has_shares else short(value)
            if text_width(text) + TEXT_GAP <= segment.width:
                centre = point(segment.left + (segment.width - GAP) / 2, baseline)
                yield Text(centre, text, Anchor.MIDDLE, ink(PARTS[segment.part.colour]))
        yield Text(point(self._end(row.bar) + TEXT_GAP, baseline), _end_text(row.bar))

    def _tick_lines(self, row: _Row) -> Iterator[Stroke]:
        """A line behind the bar at every tick, except through the text at its end."""
        end = self._end(row.bar)
        text_end = end + TEXT_GAP + text_width(_end_text(row.bar))
        for x in map(self._scale.place, self._ticks):
            if not end < x < text_end:
                yield Stroke((point(x, row.top), point(x, row.bottom)))

    def _axis(self, top: float) -> Iterator[Text]:
        """The numbers at the ticks, as many as fit, and the label of the axis."""
        baseline = top + LINE_HEIGHT - BASELINE
        labels = [f"{round_short(tick)}{'%' if self._is_percent else ''}" for tick in self._ticks]
        positions = list(map(self._scale.place, self._ticks))
        for index in fitting_labels(positions, [text_width(label) for label in labels], TEXT_GAP):
            anchor = Anchor.MIDDLE if positions[index] else Anchor.START
            yield Text(point(positions[index], baseline), labels[index], anchor)
        for number, line in enumerate(wrapped(self.chart.axis, self.width - self._left), start=1):
            yield Text(point(self._left, baseline + number * LINE_HEIGHT), line)


def _end_text(bar: StackedBar) -> str:
    return cut(bar.text, END_WIDTH)
