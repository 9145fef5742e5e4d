"""Stacked bars: a legend, labelled bars, and a common axis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from sphinx_llmsize.charts import BarPart, Scale, StackedBar, StackedBars
from sphinx_llmsize.drawing.palette import PARTS, ink
from sphinx_llmsize.drawing.picture import (
    BASELINE,
    LINE_HEIGHT,
    WIDTH,
    Anchor,
    Area,
    Picture,
    Stroke,
    Text,
    box,
    point,
)
from sphinx_llmsize.drawing.scales import fitting_labels, linear_ticks
from sphinx_llmsize.drawing.text_width import cut, text_width, wrapped
from sphinx_llmsize.formats import percent, round_short, short

THICKNESS = 20
BETWEEN = 10
"""Distance from a bar to the next label."""
GAP = 1.5
"""Gap between segments, which separates them even without colours."""
TEXT_GAP = 6
END_WIDTH = 120
"""Greatest width of the text at the end of a bar."""
SWATCH = 11
"""Side of a coloured square in the legend."""
TICK = 4
"""Length of a tick mark above and below a bar."""


@dataclass(frozen=True)
class _Segment:
    """A part of a bar with its position."""

    part: BarPart
    value: int
    left: float
    width: float


@dataclass(frozen=True)
class BarGeometry:
    """Positions of everything in a chart of stacked bars."""

    chart: StackedBars

    @property
    def picture(self) -> Picture:
        """The picture of the chart."""
        areas, texts, height = _legend(self.chart.parts)
        strokes: list[Stroke] = []
        bottom = float(height)
        for bar in self.chart.bars:
            lines = wrapped(bar.label, WIDTH)
            top = bottom + BETWEEN + len(lines) * LINE_HEIGHT + TICK
            texts += (*self._label(lines, top), *self._numbers(bar, top))
            areas += self._segment_areas(bar, top)
            strokes += self._tick_lines(bar, top)
            bottom = top + THICKNESS
        axis = bottom + TICK if self.chart.bars else bottom
        return Picture(
            title=self.chart.title,
            description=self.chart.description,
            height=axis + BETWEEN + 2 * LINE_HEIGHT,
            strokes=tuple(strokes),
            areas=tuple(areas),
            texts=(*texts, *self._axis(axis)),
        )

    @property
    def _is_percent(self) -> bool:
        return self.chart.scale is Scale.PERCENT

    @cached_property
    def _right(self) -> float:
        """Right end of the longest bar; the text at the end of a bar fits beside it."""
        texts = (_end_text(bar) for bar in self.chart.bars)
        return WIDTH - TEXT_GAP - max(map(text_width, texts), default=0)

    @cached_property
    def _largest(self) -> int:
        """The value of the longest bar."""
        return 100 if self._is_percent else max(map(_sum, self.chart.bars), default=0)

    def _length(self, bar: StackedBar, value: int) -> float:
        """Length of a part of a bar with this value."""
        whole = _sum(bar) if self._is_percent else self._largest
        return value / whole * self._right if whole else 0

    def _segments(self, bar: StackedBar) -> Iterator[_Segment]:
        starts = accumulate(bar.values, initial=0)
        for part, value, start in zip(self.chart.parts, bar.values, starts, strict=False):
            if value:
                left, width = self._length(bar, start), self._length(bar, value)
                yield _Segment(part, value, left, width)

    def _segment_areas(self, bar: StackedBar, top: float) -> Iterator[Area]:
        for segment in self._segments(bar):
            share = percent(segment.value / _sum(bar))
            tip = f"{bar.label}, {segment.part.label}: {short(segment.value)} ({share})"
            width = segment.width - GAP if segment.width > 2 * GAP else segment.width
            corners = box(segment.left, top, width, THICKNESS)
            yield Area(corners, PARTS[segment.part.colour], tip)

    def _label(self, lines: tuple[str, ...], top: float) -> Iterator[Text]:
        for row, line in enumerate(reversed(lines)):
            yield Text(point(0, top - TICK - BASELINE - row * LINE_HEIGHT), line)

    def _numbers(self, bar: StackedBar, top: float) -> Iterator[Text]:
        """Numbers in the segments with enough room, and the text at the end."""
        middle = top + THICKNESS / 2 + BASELINE
        for segment in self._segments(bar):
            value = segment.value
            text = percent(value / _sum(bar)) if self._is_percent else short(value)
            if text_width(text) + TEXT_GAP <= segment.width:
                centre = point(segment.left + (segment.width - GAP) / 2, middle)
                yield Text(centre, text, Anchor.MIDDLE, ink(PARTS[segment.part.colour]))
        yield Text(point(self._length(bar, _sum(bar)) + TEXT_GAP, middle), _end_text(bar))

    def _tick_lines(self, bar: StackedBar, top: float) -> Iterator[Stroke]:
        """A line behind the bar at every tick, except through the text at its end."""
        end = self._length(bar, _sum(bar))
        text_end = end + TEXT_GAP + text_width(_end_text(bar))
        for x in map(self._tick_position, linear_ticks(self._largest)):
            if not end < x < text_end:
                yield Stroke((point(x, top - TICK), point(x, top + THICKNESS + TICK)))

    def _tick_position(self, tick: int) -> float:
        return tick / self._largest * self._right if self._largest else 0

    def _axis(self, top: float) -> Iterator[Text]:
        """The numbers at the ticks, as many as fit, and the label of the axis."""
        baseline = top + LINE_HEIGHT - BASELINE
        ticks = linear_ticks(self._largest)
        labels = [f"{round_short(tick)}{'%' if self._is_percent else ''}" for tick in ticks]
        positions = list(map(self._tick_position, ticks))
        for index in fitting_labels(positions, [text_width(label) for label in labels], TEXT_GAP):
            anchor = Anchor.MIDDLE if positions[index] else Anchor.START
            yield Text(point(positions[index], baseline), labels[index], anchor)
        yield Text(point(0, baseline + LINE_HEIGHT), self.chart.axis)


def _legend(parts: Iterable[BarPart]) -> tuple[list[Area], list[Text], int]:
    """A swatch and a label for each part, in rows, and the total height of the rows."""
    areas: list[Area] = []
    texts: list[Text] = []
    left, row = 0.0, 0
    for part in parts:
        label = cut(part.label, WIDTH - SWATCH - TEXT_GAP)
        width = SWATCH + TEXT_GAP + text_width(label)
        if left and left + width > WIDTH:
            left, row = 0.0, row + 1
        middle = (row + 0.5) * LINE_HEIGHT
        areas.append(Area(box(left, middle - SWATCH / 2, SWATCH, SWATCH), PARTS[part.colour]))
        texts.append(Text(point(left + SWATCH + TEXT_GAP, middle + BASELINE), label))
        left += width + 2 * TEXT_GAP
    return areas, texts, (row + 1) * LINE_HEIGHT if areas else 0


def _sum(bar: StackedBar) -> int:
    return sum(bar.values)


def _end_text(bar: StackedBar) -> str:
    return cut(bar.text, END_WIDTH)
