"""Charts: stacked bars and curves, as values; how they look is said elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Scale(Enum):
    """What the length of a stacked bar is."""

    ABSOLUTE = "absolute"
    """The sum of its values."""
    PERCENT = "percent"
    """The same for all: 100% of its own sum."""


@dataclass(frozen=True)
class Chart:
    """A picture of figures; a table of the same figures stands beside it.

    Attributes:
        title: what it shows.
        description: the same in words, for who does not see it.
    """

    title: str
    description: str

    def __str__(self) -> str:
        """Its title: what a doctree shows of it."""
        return self.title


@dataclass(frozen=True)
class BarPart:
    """What one segment of every bar is.

    Attributes:
        label: its name.
        place: from 0 to 7; parts of the same place look the same in all charts.
    """

    label: str
    place: int


@dataclass(frozen=True)
class StackedBar:
    """One bar.

    Attributes:
        label: whose it is.
        values: counts, one for each part, 0 or more.
        text: what stands at its end.
    """

    label: str
    values: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class StackedBars(Chart):
    """Horizontal bars, each a stack of the same parts.

    Attributes:
        axis: what their lengths mean.
        parts: in the order in which they are stacked.
        bars: from top to bottom.
        scale: whether lengths are compared, or shares.
    """

    axis: str
    parts: tuple[BarPart, ...]
    bars: tuple[StackedBar, ...]
    scale: Scale = Scale.ABSOLUTE


@dataclass(frozen=True)
class Series:
    """One curve.

    Attributes:
        name: what it shows.
        values: ratios to the base, one for each x; what is not above 0 has no place on the curve.
    """

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Curves(Chart):
    """Curves on two logarithmic axes: how ratios grow with a factor.

    Attributes:
        x_label: what the factor is of.
        y_label: what the ratios are to.
        x: the factors, above 0, ascending.
        x_ticks: a text for each of them.
        series: one for each curve, at most 8.
    """

    x_label: str
    y_label: str
    x: tuple[float, ...]
    x_ticks: tuple[str, ...]
    series: tuple[Series, ...]
