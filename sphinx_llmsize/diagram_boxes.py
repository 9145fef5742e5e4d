"""Boxes of pipeline diagrams."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sphinx_llmsize.inline import Line
from sphinx_llmsize.translation import N_

MAX_TITLE = 12
"""Maximum number of characters of a title on one line in a diagram to the right."""
MAX_LINE = 36
"""Maximum number of characters of title and shape on one line of a box."""
SEPARATOR = " · "
"""Text between the parts of a line: a shape, numbers, a share."""
SHADES = (0.01, 0.05, 0.15, 0.4)
"""Shares of the parameters at which the colour of a box becomes stronger."""


class BoxKind(Enum):
    """Kind of a box; decides its shape."""

    DATA = "data"
    """Input or output of the model."""
    STEP = "step"
    """A step, with or without weights."""
    NORM = "norm"
    """A norm: a low box."""
    HEADING = "heading"
    """Name of the model whose boxes are below: bold text without a frame or an arrow."""
    ADDITION = "addition"
    """The sum at the end of a residual connection: a circle with a plus sign."""


class Growth(Enum):
    """Growth of a box's parameters with the hidden dimension D; decides frame and colour."""

    SQUARE = "square"
    """Proportional to D² or a higher power: a double frame."""
    LINEAR = "linear"
    """Proportional to D: a single frame."""
    NONE = "constant"
    """Independent of D: rounded corners; a box without weights also has a dotted frame."""


class Mark(Enum):
    """Change of a box from one model to another; decides its frame and is named in its text."""

    SAME = "same"
    """It is in both: rounded corners."""
    CHANGED = "changed"
    """It is in both, with other weights: a thick frame."""
    ADDED = "added"
    """It is only in the second model: a double frame."""
    REMOVED = "removed"
    """It is only in the first model: a frame of dots, unlike the dashes around layers."""
    MISSING = "missing"
    """An empty space beside a box that only the other model has: no frame."""


CHANGE_WORDS = {
    Mark.CHANGED: N_("changed"),
    Mark.ADDED: N_("added"),
    Mark.REMOVED: N_("removed"),
}
"""Words for the marks of boxes that differ, translated where they are shown."""


@dataclass(frozen=True)
class Box:
    """A step of a pipeline.

    Attributes:
        id: letters, digits and underscores; unique in the diagram.
        title: name of the step.
        kind: shape.
        growth: growth of its parameters with D.
        lines: shapes of its weights, and numbers.
        short_lines: lines without a shape, for a narrow picture if the lines of one of its boxes
            would not fit, and for one of three or more columns; by default, they are the same.
        output: label of the arrow to the next box; empty for no label.
        names: ids of the model's stages in this box; several boxes may share one.
        reads: ids of the boxes that it reads; an arrow leads from each to this box. If None, it
            reads the preceding box. If empty, it reads no box: it begins a column, as a decoder's
            tokens do, or is an input of the model in a fork.
        also_reads: ids of boxes that it reads besides those of ``reads``.
        shows_share: one of its lines is its share of the model's parameters.
        wraps_title: a long title takes two lines in a diagram to the right.
        is_weightless: it only computes, as the scores of attention do: a dotted frame.
        is_router: it chooses experts; they stand below it, level with the networks beside them.
        stacked: the lines are below the title, even if they fit beside it.
        shade: share of the model's parameters, from 0 to 1; None if the colour shows the growth.
        mark: its change from one model to another; None in diagrams of one model.
    """

    id: str
    title: str
    kind: BoxKind = BoxKind.STEP
    growth: Growth = Growth.NONE
    lines: tuple[Line, ...] = ()
    short_lines: tuple[Line, ...] = ()
    output: Line = ()
    names: tuple[str, ...] = ()
    reads: tuple[str, ...] | None = None
    also_reads: tuple[str, ...] = ()
    shows_share: bool = False
    wraps_title: bool = True
    is_weightless: bool = False
    is_router: bool = False
    stacked: bool = False
    shade: float | None = None
    mark: Mark | None = None

    @property
    def is_missing(self) -> bool:
        """True for an empty space beside a box that only the other model has."""
        return self.mark is Mark.MISSING

    @property
    def shows_growth(self) -> bool:
        """True for a step with weights, whose frame shows how they grow with D."""
        return bool(self.names) and not self.is_weightless

    @property
    def shade_level(self) -> int:
        """Strength of the colour for the share, from 0 to 4: below 1%, 5%, 15%, 40% or more."""
        return sum((self.shade or 0) >= limit for limit in SHADES)

    @property
    def is_one_line(self) -> bool:
        """True if title and shape of an input or output share a line, as in ``Token ids [T]``."""
        if self.kind is not BoxKind.DATA or self.stacked or len(self.lines) != 1:
            return False
        shape = "".join(map(str, self.lines[0]))
        return len(self.title) + len(shape) <= MAX_LINE

    @property
    def title_lines(self) -> tuple[str, ...]:
        """The title, in two lines of similar length if it is long, for a diagram to the right."""
        length = len(self.title)
        breaks = [position + 1 for position in range(length) if self.title[position] in " -"]
        if length <= MAX_TITLE or not breaks or not self.wraps_title:
            return (self.title,)
        middle_break = min(breaks, key=lambda position: abs(2 * (position - 1) - length))
        return self.title[:middle_break].rstrip(), self.title[middle_break:]

    def is_called(self, name: str) -> bool:
        """True if a name in ``:links:`` is the id of the box or of one of its stages."""
        return name == self.id or name in self.names
