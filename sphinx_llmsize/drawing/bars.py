"""Stacked bars: a legend, a bar below each label, and one axis below them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from sphinx_llmsize.charts import BarPart, Scale, StackedBar, StackedBars
from sphinx_llmsize.drawing.lettering import cut, text_width, wrapped
from sphinx_llmsize.drawing.palette import PARTS, Colour, ink
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
from sphinx_llmsize.drawing.scales import apart, linear_ticks
from sphinx_llmsize.formats import percent, round_short, short

THICKNESS = 20
BETWEEN = 10
"""From a bar to the next one's label."""
GAP = 1.5
"""Between segments, so that the colour alone need not tell them apart."""
TEXT_GAP = 6
END_WIDTH = 120
"""What the text at a bar's end may take at most."""
SWATCH = 11
BEYOND = 4
"""How far a tick stands out of the bars."""


def draw_bars(chart: StackedBars) -> Picture:
    """The picture of stacked bars."""
    return _Bars(chart).picture


def colour_of(part: BarPart) -> Colour:
    """The colour of a part, the same in every chart."""
    return PARTS[part.colour]


def _named(part: BarPart) -> str:
    return cut(part.label, WIDTH - SWATCH - TEXT_GAP)


@dataclass(frozen=True)
class _Legend:
    """A swatch and a label for each part, in as many rows as they need."""

    parts: tuple[BarPart, ...]

    @cached_property
    def places(self) -> tuple[tuple[float, int], ...]:
        """From the left, and in which row, each entry stands."""
        places: list[tuple[float, int]] = []
        left, row = 0.0, 0
        for part in self.parts:
            width = SWATCH + TEXT_GAP + text_width(_named(part))
            if left and left + width > WIDTH:
                left, row = 0.0, row + 1
            places.append((left, row))
            left += width + 2 * TEXT_GAP
        return tuple(places)

    @property
    def height(self) -> int:
        return (self.places[-1][1] + 1) * LINE_HEIGHT if self.places else 0

    def areas(self) -> Iterator[Area]:
        for part, (left, row) in zip(self.parts, self.places, strict=True):
            top = (row + 0.5) * LINE_HEIGHT - SWATCH / 2
            yield Area(box(left, top, SWATCH, SWATCH), colour_of(part))

    def texts(self) -> Iterator[Text]:
        for part, (left, row) in zip(self.parts, self.places, strict=True):
            baseline = (row + 0.5) * LINE_HEIGHT + BASELINE
            yield Text(point(left + SWATCH + TEXT_GAP, baseline), _named(part))


@dataclass(frozen=True)
class _Segment:
    """A part of a bar, with its place."""

    part: BarPart
    value: int
    left: float
    width: float


@dataclass(frozen=True)
class _Bars:
    """A chart being drawn."""

    chart: StackedBars

    @property
    def picture(self) -> Picture:
        texts = list(self._legend.texts())
        areas = list(self._legend.areas())
        for row, (bar, top) in enumerate(self._rows):
            texts += self._label(self._labels[row], top)
            texts += self._texts(bar, self._ends[row], top)
            areas += self._areas(bar, top)
        axis = self._tops[-1] + THICKNESS + BEYOND if self._tops else self._legend.height
        return Picture(
            self.chart.title,
            self.chart.description,
            axis + BETWEEN + 2 * LINE_HEIGHT,
            tuple(self._ticks()),
            tuple(areas),
            (*texts, *self._axis(axis)),
        )

    @property
    def _rows(self) -> tuple[tuple[StackedBar, float], ...]:
        """Every bar with its upper edge."""
        return tuple(zip(self.chart.bars, self._tops, strict=True))

    @cached_property
    def _legend(self) -> _Legend:
        return _Legend(self.chart.parts)

    @cached_property
    def _labels(self) -> tuple[tuple[str, ...], ...]:
        return tuple(wrapped(bar.label, WIDTH) for bar in self.chart.bars)

    @cached_property
    def _tops(self) -> tuple[float, ...]:
        """The upper edge of every bar."""
        tops: list[float] = []
        bottom = float(self._legend.height)
        for lines in self._labels:
            tops.append(bottom + BETWEEN + len(lines) * LINE_HEIGHT + BEYOND)
            bottom = tops[-1] + THICKNESS
        return tuple(tops)

    @cached_property
    def _right(self) -> float:
        """Where the longest bar ends: beyond it there is room for every bar's text."""
        return WIDTH - TEXT_GAP - max(map(text_width, self._ends), default=0)

    @cached_property
    def _ends(self) -> tuple[str, ...]:
        """What stands at the end of every bar."""
        return tuple(cut(bar.text, END_WIDTH) for bar in self.chart.bars)

    @cached_property
    def _largest(self) -> int:
        """What the longest bar stands for."""
        if self.chart.scale is Scale.PERCENT:
            return 100
        return max((sum(bar.values) for bar in self.chart.bars), default=0)

    def _length(self, bar: StackedBar, value: int) -> float:
        whole = sum(bar.values) if self.chart.scale is Scale.PERCENT else self._largest
        return value / whole * self._right if whole else 0

    def _segments(self, bar: StackedBar) -> Iterator[_Segment]:
        starts = accumulate(bar.values, initial=0)
        for part, value, start in zip(self.chart.parts, bar.values, starts, strict=False):
            if value:
                left, width = self._length(bar, start), self._length(bar, value)
                yield _Segment(part, value, left, width)

    def _areas(self, bar: StackedBar, top: float) -> Iterator[Area]:
        for segment in self._segments(bar):
            share = percent(segment.value / sum(bar.values))
            tip = f"{bar.label}, {segment.part.label}: {short(segment.value)} ({share})"
            width = segment.width - GAP if segment.width > 2 * GAP else segment.width
            corners = box(segment.left, top, width, THICKNESS)
            yield Area(corners, colour_of(segment.part), tip)

    def _label(self, lines: tuple[str, ...], top: float) -> Iterator[Text]:
        for row, line in enumerate(reversed(lines)):
            yield Text(point(0, top - BEYOND - BASELINE - row * LINE_HEIGHT), line)

    def _texts(self, bar: StackedBar, end: str, top: float) -> Iterator[Text]:
        """What is written in the segments that have room, and at the end."""
        middle = top + THICKNESS / 2 + BASELINE
        for segment in self._segments(bar):
            text = self._written(segment.value, bar)
            if text_width(text) + TEXT_GAP <= segment.width:
                place = point(segment.left + (segment.width - GAP) / 2, middle)
                yield Text(place, text, Anchor.MIDDLE, ink(colour_of(segment.part)))
        yield Text(point(self._length(bar, sum(bar.values)) + TEXT_GAP, middle), end)

    def _written(self, value: int, bar: StackedBar) -> str:
        whole = sum(bar.values)
        return percent(value / whole) if self.chart.scale is Scale.PERCENT else short(value)

    def _ticks(self) -> Iterator[Stroke]:
        """At every tick a line behind each bar, leaving labels and texts free."""
        places = [self._tick_place(tick) for tick in linear_ticks(self._largest)]
        for (bar, top), end in zip(self._rows, self._ends, strict=True):
            stop = self._length(bar, sum(bar.values))
            text = stop + TEXT_GAP + text_width(end)
            for x in (place for place in places if not stop < place < text):
                yield Stroke((point(x, top - BEYOND), point(x, top + THICKNESS + BEYOND)))

    def _tick_place(self, tick: int) -> float:
        return tick / self._largest * self._right if self._largest else 0

    def _axis(self, top: float) -> Iterator[Text]:
        """The numbers at the ticks, as far as they have room, and what they are of."""
        baseline = top + LINE_HEIGHT - BASELINE
        unit = "%" if self.chart.scale is Scale.PERCENT else ""
        ticks = linear_ticks(self._largest)
        labels = [f"{round_short(tick)}{unit}" for tick in ticks]
        places = [self._tick_place(tick) for tick in ticks]
        for index in apart(places, [text_width(label) for label in labels], TEXT_GAP):
            anchor = Anchor.MIDDLE if places[index] else Anchor.START
            yield Text(point(places[index], baseline), labels[index], anchor)
        yield Text(point(0, baseline + LINE_HEIGHT), self.chart.axis)
