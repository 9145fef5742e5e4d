"""Stacked bars: a legend, labelled bars, and a common axis. Lengths are in px."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sphinx_llmsize.charts import BarPart, Scale, StackedBar, StackedBars
from sphinx_llmsize.drawing.bar_axis import BarAxis
from sphinx_llmsize.drawing.bar_segments import LEAST_WIDTH, spans, visible_widths
from sphinx_llmsize.drawing.legend import legend
from sphinx_llmsize.drawing.palette import OTHER, PARTS, ink
from sphinx_llmsize.drawing.picture import (
    BASELINE,
    LINE_HEIGHT,
    Anchor,
    Area,
    Picture,
    Stroke,
    Text,
    point,
    rectangle,
)
from sphinx_llmsize.drawing.text_width import cut, text_width, wrapped
from sphinx_llmsize.formats import percent, short
from sphinx_llmsize.picture_widths import WIDE

THICKNESS = 20
"""Height of a bar."""
BETWEEN = 10
"""Distance between a bar, with its label beside it, and the next."""
TEXT_GAP = 6
"""Distance of a text from the bar beside it; sum of a number's margins inside its segment."""
LABEL_SHARE = 0.28
"""Maximum width of a label beside its bar relative to the width of the picture."""
END_WIDTH = 120
"""Maximum width of the text at the end of a bar."""
HAIRLINE = 0.1
"""Width below which a segment leaves no trace."""
LEGEND_GAP = 9
"""Distance from the legend to the first bar or label."""
OVERLAP = 4
"""In a narrow picture, how far the line at a bar's left end extends above and below the bar."""


@dataclass(frozen=True)
class _Segment:
    """A part of a bar with its position, without gaps."""

    part: BarPart
    value: int
    left: float
    width: float


@dataclass(frozen=True)
class _Row:
    """A bar with its label.

    Attributes:
        bar: the bar.
        segments: parts of the bar, from left to right.
        label: lines of its label.
        bar_top: upper edge of the bar.
        top: upper end of the line at the bar's left end.
        bottom: lower end of that line.
    """

    bar: StackedBar
    segments: tuple[_Segment, ...]
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
        """Everything in the chart, with positions."""
        parts = legend(tuple(self._values), self.width, self._left)
        areas, texts, bottom = [*parts.areas], [*parts.texts], parts.bottom
        strokes: list[Stroke] = []
        for row in self._rows(bottom + LEGEND_GAP):
            texts += self._label(row)
            texts += self._numbers(row)
            areas += self._segment_areas(row)
            strokes.append(Stroke((point(self._left, row.top), point(self._left, row.bottom))))
            bottom = row.bottom
        return Picture(
            title=self.chart.title,
            description=self.chart.description,
            height=self._axis.bottom(bottom),
            strokes=(*strokes, *self._axis.lines(bottom)),
            areas=tuple(areas),
            texts=(*texts, *self._axis.numbers(bottom)),
            width=self.width,
        )

    @property
    def _is_beside(self) -> bool:
        """True if labels are beside their bars."""
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
            return 0.0
        return TEXT_GAP + max(
            (text_width(line) for lines in self._labels for line in lines), default=0
        )

    @cached_property
    def _right(self) -> float:
        """Right end of the longest bar; the text at the end of a bar fits beside it."""
        texts = (_end_text(bar) for bar in self.chart.bars)
        return self.width - TEXT_GAP - max(map(text_width, texts), default=0)

    @cached_property
    def _axis(self) -> BarAxis:
        """The axis below all bars."""
        totals = tuple(bar.total for bar in self.chart.bars if bar.total) or (1,)
        return BarAxis(self.chart.scale, totals, self._left, self._right)

    def _rows(self, start: float) -> Iterator[_Row]:
        """The rows from top to bottom; the first begins at the height ``start``."""
        for number, (bar, label) in enumerate(zip(self.chart.bars, self._labels, strict=True)):
            segments = tuple(self._segments(number))
            label_height = len(label) * LINE_HEIGHT
            if self._is_beside:
                bottom = start + max(THICKNESS, label_height) + BETWEEN
                bar_top = (start + bottom - THICKNESS) / 2
                yield _Row(bar, segments, label, bar_top, start, bottom)
                start = bottom
            else:
                bar_top = start + label_height + OVERLAP
                bottom = bar_top + THICKNESS + OVERLAP
                yield _Row(bar, segments, label, bar_top, bar_top - OVERLAP, bottom)
                start = bottom + OVERLAP

    @cached_property
    def _values(self) -> Mapping[BarPart, tuple[int, ...]]:
        """Each part that is drawn, with its value in each bar.

        Parts that are too narrow in all bars are added up to one last, grey part, which is drawn if
        it is wide enough itself.
        """
        drawn: dict[BarPart, tuple[int, ...]] = {}
        narrow: list[tuple[int, ...]] = []
        columns = zip(*(bar.values for bar in self.chart.bars), strict=True)
        for part, values in zip(self.chart.parts, columns, strict=True):
            if self._is_visible(values):
                drawn[part] = values
            else:
                narrow.append(values)
        if narrow:
            sums = tuple(map(sum, zip(*narrow, strict=True)))
            if self._is_visible(sums):
                drawn[BarPart(self.chart.other, OTHER)] = sums
        return drawn

    def _is_visible(self, values: Sequence[int]) -> bool:
        """True if a part with these values, one for each bar, is wide enough in any bar."""
        bars = zip(self.chart.bars, values, strict=True)
        return any(value * self._width_of_one(bar) >= LEAST_WIDTH for bar, value in bars)

    def _width_of_one(self, bar: StackedBar) -> float:
        """Width of a segment with the value 1: a share of the bar, also on a logarithmic axis."""
        return (self._axis.end(bar.total) - self._left) / (bar.total or 1)

    def _segments(self, number: int) -> Iterator[_Segment]:
        """The segments of a bar, from left to right, by the bar's index."""
        width_of_one = self._width_of_one(self.chart.bars[number])
        values = {part: values[number] for part, values in self._values.items() if values[number]}
        if values:
            widths = visible_widths([value * width_of_one for value in values.values()])
            for (part, value), (left, width) in zip(
                values.items(), spans(widths, self._left), strict=True
            ):
                yield _Segment(part, value, left, width)

    def _segment_areas(self, row: _Row) -> Iterator[Area]:
        """The segments of a bar as rectangles with tooltips; none of those too narrow to see."""
        for segment in row.segments:
            if segment.width >= HAIRLINE:
                share = percent(segment.value / row.bar.total)
                tip = f"{row.bar.label}, {segment.part.label}: {short(segment.value)} ({share})"
                corners = rectangle(segment.left, row.bar_top, segment.width, THICKNESS)
                yield Area(corners, PARTS[segment.part.colour], tip)

    def _label(self, row: _Row) -> Iterator[Text]:
        """Lines of a bar's label: to the left of the bar, or above it."""
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
        for segment in row.segments:
            if self.chart.scale is Scale.ABSOLUTE:
                text = short(segment.value)
            else:
                text = percent(segment.value / row.bar.total)
            if text_width(text) + TEXT_GAP <= segment.width:
                centre = point(segment.left + segment.width / 2, baseline)
                yield Text(centre, text, Anchor.MIDDLE, ink(PARTS[segment.part.colour]))
        yield Text(point(self._axis.end(row.bar.total) + TEXT_GAP, baseline), _end_text(row.bar))


def _end_text(bar: StackedBar) -> str:
    """The text at the end of a bar, shortened to its maximum width."""
    return cut(bar.text, END_WIDTH)
