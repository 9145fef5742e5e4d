"""Charts as data: stacked bars and curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

from sphinx_llmsize.inline import Drawn, Line

MIN_FRACTION = 1 / 250
"""Length of the shortest visible bar, as a fraction of the longest: about 2 px on most pages."""
LEAST_PART = 1 / 500
"""Length of the narrowest part of a bar that is drawn, as a fraction of the longest: about 1 px."""


class Scale(Enum):
    """Scale of stacked bars."""

    ABSOLUTE = "absolute"
    """The length of a bar is the sum of its values."""
    LOG = "log"
    """The length of a bar is the logarithm of its sum; the bar is divided in proportion to its
    values."""
    PERCENT = "percent"
    """Every bar has the same length, 100% of its own sum."""


@dataclass(frozen=True)
class Chart:
    """Base class of charts, whose numbers are also shown in a table.

    Attributes:
        title: the caption, and the name for screen readers.
        description: the chart in words, for screen readers.
        note: sentence that follows the title in the caption; empty for none.
        id: name of its view, with a number if it isn't the first picture there.
    """

    kind: ClassVar[str] = "chart"
    """Name of its template."""
    title: str
    description: str
    note: str = field(default="", kw_only=True)
    id: str = field(default="", kw_only=True)

    @property
    def alternative(self) -> str:
        """Text in place of the picture, without the title, which is its caption."""
        return self.description

    @property
    def caption(self) -> Line:
        """The title, and the note only where the chart is drawn."""
        return (self.title, Drawn((f". {self.note}",))) if self.note else (self.title,)

    def __str__(self) -> str:
        """The title, as shown in dumps of a doctree."""
        return self.title


@dataclass(frozen=True)
class BarPart:
    """One of the parts that every bar of a chart is divided into.

    Attributes:
        label: name in the legend.
        colour: index in the palette, 0 to 7; the same part has the same index in every chart.
    """

    label: str
    colour: int


@dataclass(frozen=True)
class StackedBar:
    """One bar of a chart.

    Attributes:
        label: name of the bar.
        values: counts, one for each part, 0 or more.
        text: total at the end of the bar.
    """

    label: str
    values: tuple[int, ...]
    text: str

    @property
    def total(self) -> int:
        """Sum of the values."""
        return sum(self.values)


@dataclass(frozen=True)
class StackedBars(Chart):
    """Horizontal bars, each a stack of the same parts; the title says what their axis shows.

    Attributes:
        parts: parts of each bar, from left to right.
        bars: bars, from top to bottom.
        scale: meaning of the lengths.
        other: label for all parts together that are too small to be drawn one by one.
    """

    parts: tuple[BarPart, ...]
    bars: tuple[StackedBar, ...]
    scale: Scale = Scale.ABSOLUTE
    other: str = ""


def too_short(bars: Iterable[StackedBar]) -> tuple[StackedBar, ...]:
    """Bars that are hardly visible beside the longest one, if lengths are absolute."""
    bars = tuple(bars)
    longest = max((bar.total for bar in bars), default=0)
    return tuple(bar for bar in bars if bar.total < MIN_FRACTION * longest)


def unseen_parts(bars: Sequence[StackedBar], scale: Scale) -> tuple[int, ...]:
    """Positions of the parts that are too narrow to see in every bar, even if they are added up."""
    longest = max((bar.total for bar in bars), default=0)
    lengths = [longest if scale is Scale.ABSOLUTE else bar.total for bar in bars]

    def is_seen(values: Iterable[int]) -> bool:
        """True if a part with these values, one for each bar, is wide enough in any bar."""
        return any(v >= LEAST_PART * n for v, n in zip(values, lengths, strict=True))

    columns = enumerate(zip(*(bar.values for bar in bars), strict=True))
    narrow = tuple(position for position, values in columns if not is_seen(values))
    sums = (sum(bar.values[position] for position in narrow) for bar in bars)
    return () if is_seen(sums) else narrow


@dataclass(frozen=True)
class Series:
    """One curve of a chart.

    Attributes:
        name: label at its right end.
        values: ratios to the value at factor 1, one for each x; values of 0 or less are not drawn.
    """

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Curves(Chart):
    """Curves on two logarithmic axes: ratios as functions of a factor; the title says to what.

    Attributes:
        x_label: label of the horizontal axis.
        x: factors, above 0, ascending.
        x_ticks: tick label of each factor.
        series: at most 8 curves.
    """

    x_label: str
    x: tuple[float, ...]
    x_ticks: tuple[str, ...]
    series: tuple[Series, ...]
