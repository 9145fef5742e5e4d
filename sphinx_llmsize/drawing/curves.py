"""Line charts on logarithmic axes, with the name of each curve at its right end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from sphinx_llmsize.charts import Curves, Series
from sphinx_llmsize.drawing.markers import DASHES, marker
from sphinx_llmsize.drawing.palette import PARTS, Colour
from sphinx_llmsize.drawing.picture import (
    BASELINE,
    LINE_HEIGHT,
    Anchor,
    Area,
    Picture,
    Point,
    Stroke,
    Text,
    point,
)
from sphinx_llmsize.drawing.scales import LogScale, fitting_labels, log_ticks, spread
from sphinx_llmsize.drawing.text_width import text_width, wrapped
from sphinx_llmsize.formats import round_short, significant

TOP = LINE_HEIGHT / 2
"""Upper edge of the plot area, with space for half of a number beside it."""
LEAST_HEIGHT = 200
"""Minimum height of the plot area."""
ASPECT = 0.42
"""Minimum height of the plot area relative to the width of the picture."""
GAP = 6
"""Distance of a text from a line, and of the label of a curve from the next label."""
NAME_SHARE = 0.27
"""Maximum width of each line of a name relative to the width of the picture."""
LEADER = 14
"""Distance from the end of a curve to the marker before its name."""
NAME_GAP = 10
"""Distance from the marker to the name."""
MAX_DIFFERENCE = 0.004
"""Curves that differ nowhere by more than this fraction of the height are drawn as one."""


@dataclass(frozen=True)
class _Curve:
    """A line for one series, or for several that coincide.

    Attributes:
        number: index of the curve; determines its colour, marker and dashes.
        series: the series.
        heights: height above the axis, from 0 to 1, by index in the chart's x values.
        name_width: maximum width of each line of the label.
    """

    number: int
    series: tuple[Series, ...]
    heights: dict[int, float]
    name_width: float

    @property
    def colour(self) -> Colour:
        """Colour of the line and its markers."""
        return PARTS[self.number % len(PARTS)]

    @cached_property
    def label(self) -> tuple[str, ...]:
        """Lines of text with the names of the series; each name begins a new line."""
        *others, last = [series.name for series in self.series]
        names = (*(f"{name}," for name in others), last)
        return tuple(line for name in names for line in wrapped(name, self.name_width))

    @property
    def label_height(self) -> float:
        """Height of the label, including a gap."""
        return len(self.label) * LINE_HEIGHT + GAP

    def coincides(self, heights: dict[int, float]) -> bool:
        """True if a curve of these heights would look the same."""
        return heights.keys() == self.heights.keys() and all(
            abs(height - self.heights[x]) <= MAX_DIFFERENCE for x, height in heights.items()
        )


@dataclass(frozen=True)
class CurveGeometry:
    """Positions of everything in a chart of curves."""

    chart: Curves
    width: int

    @property
    def picture(self) -> Picture:
        """Everything in the chart, with positions."""
        return Picture(
            title=self.chart.title,
            description=self.chart.description,
            height=self._bottom + 2 * LINE_HEIGHT + GAP,
            strokes=(*self._grid(), *self._leaders(), *self._lines()),
            areas=tuple(self._markers()),
            texts=(*self._y_axis(), *self._x_axis(), *self._names()),
            width=self.width,
        )

    @cached_property
    def _y_ticks(self) -> tuple[float, ...]:
        """The ratios that have a horizontal line."""
        values = [value for each in self.chart.series for value in each.values if value > 0]
        return log_ticks(values or [1])

    @cached_property
    def _curves(self) -> tuple[_Curve, ...]:
        """The curves that are drawn; series without a value above 0 have none."""
        curves: list[_Curve] = []
        name_width = NAME_SHARE * self.width
        for series in self.chart.series:
            heights = self._heights(series)
            found = next((curve for curve in curves if curve.coincides(heights)), None)
            if found:
                both = (*found.series, series)
                curves[found.number] = replace(found, series=both, heights=heights)
            elif heights:
                curves.append(_Curve(len(curves), (series,), heights, name_width))
        return tuple(curves)

    def _heights(self, series: Series) -> dict[int, float]:
        """The heights of a curve, as in :class:`_Curve`; values of 0 or less have none."""
        scale = LogScale(self._y_ticks[0], self._y_ticks[-1], 0, 1)
        return {x: scale.place(value) for x, value in enumerate(series.values) if value > 0}

    @cached_property
    def _left(self) -> float:
        """Left edge of the plot area, beside the numbers of the vertical axis."""
        return max(map(text_width, self._y_labels)) + GAP

    @cached_property
    def _right(self) -> float:
        """Right edge of the plot area; the names of the curves fit beside it."""
        lines = [line for curve in self._curves for line in curve.label]
        return self.width - LEADER - NAME_GAP - max(map(text_width, lines), default=0)

    @cached_property
    def _bottom(self) -> float:
        """Lower edge of the plot area, which is high enough for all labels beside it."""
        labels = sum(curve.label_height for curve in self._curves)
        return TOP + max(LEAST_HEIGHT, ASPECT * self.width, labels)

    @cached_property
    def _x_positions(self) -> tuple[float, ...]:
        """Horizontal position of each of the chart's x values."""
        first, last = self.chart.x[0], self.chart.x[-1]
        if first == last:
            return ((self._left + self._right) / 2,)
        # leave space for the tick labels at both ends
        scale = LogScale(first, last, self._left + 2 * GAP, self._right - GAP)
        return tuple(map(scale.place, self.chart.x))

    def _points(self, curve: _Curve) -> tuple[Point, ...]:
        """The points of a curve, from left to right."""
        plot_height = self._bottom - TOP
        return tuple(
            point(self._x_positions[x], self._bottom - height * plot_height)
            for x, height in curve.heights.items()
        )

    @cached_property
    def _placed_labels(self) -> tuple[tuple[_Curve, float], ...]:
        """The curves from top to bottom at their right ends, each with its label's y position."""

        def right_end(curve: _Curve) -> float:
            """The y position of a curve's last point."""
            return self._points(curve)[-1][1]

        curves = sorted(self._curves, key=right_end)
        heights = [curve.label_height for curve in curves]
        centres = spread([right_end(curve) for curve in curves], heights, TOP, self._bottom)
        return tuple(zip(curves, centres, strict=True))

    def _grid(self) -> Iterator[Stroke]:
        """A horizontal line at each tick, and a vertical one at each x value."""
        for y in self._y_positions:
            yield Stroke((point(self._left, y), point(self._right, y)))
        for x in self._x_positions:
            yield Stroke((point(x, TOP), point(x, self._bottom)))

    @cached_property
    def _y_labels(self) -> tuple[str, ...]:
        """The label of each tick of the vertical axis."""
        return tuple(f"{round_short(tick)}×" for tick in self._y_ticks)

    @property
    def _y_positions(self) -> tuple[float, ...]:
        """The vertical position of each of its ticks."""
        scale = LogScale(self._y_ticks[0], self._y_ticks[-1], self._bottom, TOP)
        return tuple(map(scale.place, self._y_ticks))

    def _lines(self) -> Iterator[Stroke]:
        """The lines of the curves; a single point has none."""
        for curve in self._curves:
            if len(curve.heights) > 1:
                dashes = DASHES[curve.number % len(DASHES)]
                yield Stroke(self._points(curve), curve.colour, dashes)

    def _leaders(self) -> Iterator[Stroke]:
        """Lines from the ends of the curves to the markers before their names."""
        for curve, middle in self._placed_labels:
            x, y = self._points(curve)[-1]
            yield Stroke(((x, y), point(self._right + LEADER - GAP, middle)))

    def _markers(self) -> Iterator[Area]:
        """A marker with a tooltip at each point of a curve, and one before its name."""
        for curve in self._curves:
            names = ", ".join(series.name for series in curve.series)
            ratios = curve.series[0].values
            for x, at in zip(curve.heights, self._points(curve), strict=True):
                tip = f"{names}, {self.chart.x_ticks[x]}: {significant(ratios[x])}×"
                yield Area(marker(curve.number, at), curve.colour, tip)
        for curve, middle in self._placed_labels:
            at = point(self._right + LEADER, middle)
            yield Area(marker(curve.number, at), curve.colour)

    def _y_axis(self) -> Iterator[Text]:
        """The numbers of the vertical axis."""
        for text, y in zip(self._y_labels, self._y_positions, strict=True):
            yield Text(point(self._left - GAP, y + BASELINE), text, Anchor.END)

    def _x_axis(self) -> Iterator[Text]:
        """The numbers of the horizontal axis, as many as fit, and its label."""
        texts, baseline = self.chart.x_ticks, self._bottom + LINE_HEIGHT + GAP / 2
        for index in fitting_labels(self._x_positions, [text_width(text) for text in texts], GAP):
            yield Text(point(self._x_positions[index], baseline), texts[index], Anchor.MIDDLE)
        middle = (self._left + self._right) / 2
        yield Text(point(middle, baseline + LINE_HEIGHT), self.chart.x_label, Anchor.MIDDLE)

    def _names(self) -> Iterator[Text]:
        """The names of the curves, to the right of the plot area."""
        for curve, middle in self._placed_labels:
            first = middle - (len(curve.label) - 1) * LINE_HEIGHT / 2 + BASELINE
            for row, line in enumerate(curve.label):
                place = point(self._right + LEADER + NAME_GAP, first + row * LINE_HEIGHT)
                yield Text(place, line)
