"""Boxes of pipeline diagrams."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sphinx_llmsize.inline import Line
from sphinx_llmsize.translation import N_

LONG_TITLE = 12
"""Number of characters above which a title takes two lines in a diagram to the right."""
ONE_LINE = 36
"""Number of characters that fit on one line of a box."""
SEPARATOR = " · "
"""Text between the parts of a line: a shape, numbers, a share."""
SHADES = (0.01, 0.05, 0.15, 0.4)
"""Shares of the parameters from which the colour of a box is stronger."""


class BoxKind(Enum):
    """Kind of a box; decides its shape."""

    DATA = "data"
    """Input or output of the model."""
    STEP = "step"
    """A step, with or without weights."""
    NORM = "norm"
    """A norm: a slim box."""
    ADDITION = "addition"
    """The sum at the end of a residual connection: a circle with a plus sign."""


class Growth(Enum):
    """Growth of a box's parameters with the hidden dimension D; decides frame and colour."""

    SQUARE = "square"
    """With D² or faster: a double frame."""
    LINEAR = "linear"
    """With D: a single frame."""
    NONE = "constant"
    """Not at all: rounded corners; without weights, also a dotted frame."""


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
    """Space for a box of the other model: no frame."""


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
        output: label of the arrow to the next box; empty for no label.
        names: ids of the model's stages in this box; several boxes may share one.
        reads: ids of boxes with arrows to this one. None: the arrow is from the preceding box.
            Empty: there is none, since the box begins a new column, or is an input in a fork.
        also_reads: ids of further boxes with arrows to this one, besides those by ``reads``.
        is_weightless: it only computes, as the scores of attention do: a dotted frame.
        is_choice: its output chooses among experts, whose input it isn't: a dashed line.
        stacked: the lines are below the title, even if they fit beside it.
        shade: share of the model's parameters, from 0 to 1; None if the colour shows the growth.
        mark: its change from one model to another; None in diagrams of one model.
    """

    id: str
    title: str
    kind: BoxKind = BoxKind.STEP
    growth: Growth = Growth.NONE
    lines: tuple[Line, ...] = ()
    output: Line = ()
    names: tuple[str, ...] = ()
    reads: tuple[str, ...] | None = None
    also_reads: tuple[str, ...] = ()
    is_weightless: bool = False
    is_choice: bool = False
    stacked: bool = False
    shade: float | None = None
    mark: Mark | None = None

    @property
    def is_missing(self) -> bool:
        """True for space in place of a box that only the other model has."""
        return self.mark is Mark.MISSING

    @property
    def shows_growth(self) -> bool:
        """True if the frame shows how the weights grow: not for inputs, and steps without them."""
        return bool(self.names) and not self.is_weightless

    @property
    def shade_level(self) -> int:
        """Strength of the colour for the share, from 0 to 4: below 1%, 5%, 15%, 40% or more."""
        return sum((self.shade or 0) >= limit for limit in SHADES)

    @property
    def is_one_line(self) -> bool:
        """True if title and shape of an input or output share a line, as in ``Tokens [T]``."""
        fits = len(self.lines) == 1 and self._text_length <= ONE_LINE
        return self.kind is BoxKind.DATA and fits and not self.stacked

    @property
    def title_lines(self) -> tuple[str, ...]:
        """The title, in two lines of similar length if it is long, for a diagram to the right."""
        if len(self.title) <= LONG_TITLE:
            return (self.title,)
        places = [place for place, character in enumerate(self.title) if character in " -"]
        if not places:
            return (self.title,)
        place = min(places, key=lambda place: abs(2 * place - len(self.title)))
        return self.title[: place + 1].rstrip(), self.title[place + 1 :]

    @property
    def _text_length(self) -> int:
        """Number of characters of the title and all lines together."""
        return len(self.title) + sum(len(str(piece)) for line in self.lines for piece in line)

    def is_called(self, name: str) -> bool:
        """True if the name is the id of the box or of one of its stages."""
        return name == self.id or name in self.names
