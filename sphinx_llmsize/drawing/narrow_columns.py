"""Choice of the widths of a fork's columns in a narrow picture."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.drawing.pipeline_layout import layout
from sphinx_llmsize.drawing.sizing import Sizing, sizing_of
from sphinx_llmsize.drawing.spacing import (
    MOST_WIDTH,
    STRETCHES,
    UNFITTED,
    Alignment,
    ColumnFit,
    Fits,
)

USUAL_LINES = 2
"""Number of lines in a box: its name, and its shape or share."""
MOST_LINES = 3
"""Number of lines that boxes may have to be equally wide."""
WIDTH_STEP = 4
"""Difference between least widths to try."""
ALIKE = 1.5
"""Largest ratio of widths that still look alike."""


def numbers_of_columns(diagram: Diagram) -> list[int]:
    """Numbers of columns that are side by side somewhere in the diagram."""
    return sorted({number for number in diagram.columns.values() if number > 1})


@dataclass(frozen=True)
class NarrowColumns:
    """Columns side by side in a narrow picture.

    Attributes:
        diagram: the diagram.
        width: width of the column of the page.
        fits: how other numbers of columns fit.
        number: the number of columns.
    """

    diagram: Diagram
    width: int
    fits: Fits
    number: int

    @property
    def best_fit(self) -> ColumnFit:
        """How the columns look best: equally wide, unless similar widths spare lines of text.

        If no equal widths fit, boxes above each other have one width, and narrow ones are as wide
        as there is room. If even these don't fit, each branch has its own width.
        """
        equal = self._widest(Alignment.EQUAL)
        lines = self._lines(equal) if equal else 0
        if equal and lines <= USUAL_LINES:
            return equal
        by_position = self._widest(Alignment.BY_POSITION)
        are_alike = by_position and self._are_alike(by_position)
        if equal and lines <= MOST_LINES and not are_alike:
            return equal
        if by_position:
            return self._with_least_width(by_position)
        return self._widest(Alignment.NONE) or UNFITTED

    def _with_least_width(self, fit: ColumnFit) -> ColumnFit:
        """The same with a least width of the boxes: the largest for which the picture fits."""
        boxes = self._sizing(fit).boxes
        widest = round(max(map(boxes.width, self._steps()), default=0))
        fits = [replace(fit, least_width=width) for width in range(widest, 0, -WIDTH_STEP)]
        position = bisect_left(fits, True, key=self._is_in_page)
        return fits[position] if position < len(fits) else fit

    def _widest(self, alignment: Alignment) -> ColumnFit | None:
        """The columns with this alignment and the largest factor that fits; None if none fits."""
        fits = [ColumnFit(stretch, alignment) for stretch in STRETCHES]
        # the factors descend: from the first that fits on, all fit
        position = bisect_left(fits, True, key=self._is_in_page)
        return fits[position] if position < len(fits) else None

    def _is_in_page(self, fit: ColumnFit) -> bool:
        """True if the picture isn't too wide."""
        return layout(self.diagram, self._sizing(fit)).width <= MOST_WIDTH

    def _lines(self, fit: ColumnFit) -> int:
        """Largest number of lines in a box."""
        boxes = self._sizing(fit).boxes
        return max((len(boxes.texts(box)) for box in self._steps()), default=0)

    def _are_alike(self, fit: ColumnFit) -> bool:
        """True if the boxes have similar widths."""
        boxes = self._sizing(fit).boxes
        widths = [boxes.width(box) for box in self._steps()]
        return max(widths, default=0) <= ALIKE * min(widths, default=0)

    def _sizing(self, fit: ColumnFit) -> Sizing:
        """Sizes of the diagram with these columns."""
        return sizing_of(self.diagram, self.width, {**self.fits, self.number: fit})

    def _steps(self) -> Iterator[Box]:
        """The steps in the columns."""
        for box, number in self.diagram.columns.items():
            if number == self.number and box.kind is BoxKind.STEP:
                yield box
