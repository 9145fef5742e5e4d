"""Spaces in a pipeline's picture, for a wide or a narrow column of a page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_breadth import breadth_of
from sphinx_llmsize.diagram_tree import sequences_of
from sphinx_llmsize.drawing.orientation import Room
from sphinx_llmsize.picture_widths import NARROW, WIDE

CHANNEL = 36
"""Distance between columns, for the arrows between them."""
CLUSTER_PADDING = 10
"""Padding of a cluster."""
TITLE_PADDING = 5
"""Distance of a cluster's title from the left side of its frame."""
EDGE = 2
"""Margin of the picture, so that lines at its edge are not clipped."""
ADDITION_RADIUS = 9
"""Radius of the circle of an addition."""
LEAD = 14
"""Space before the steps of a residual connection, where the line past them branches off."""
ARROW = 14
"""Length of the arrow before a box, including its head."""
UNLABELLED_LINE = 3
"""Length of the line after a box whose output has no label."""
SPREAD = 6
"""Space before the branches of a fork, where the arrow splits."""
JOIN = 5
"""Space after the branches of a fork, where the arrows join."""
CLUSTER_MARGIN = 5
"""Space before and after a cluster."""
LEAST_WIDTH = 66
"""Least width of the texts in a box."""
LEAST_TITLE = 60
"""Least width of the title of a cluster, which stands beside the arrow."""
STRETCHES = tuple(1 + percent / 100 for percent in range(60, -1, -3))
"""Factors to try, the largest first, for the width of texts side by side in a narrow column.

The width without a factor assumes texts of equal widths, and lines on both sides of them. Few
diagrams have either, so that their texts can be wider.
"""
MOST_WIDTH = 356
"""Largest width of a picture with such a factor: about that of a column on a phone."""
CLOSE_LINES_FROM = 3
"""Number of columns of a narrow picture from which lines are nearer to the steps that they pass."""
CLOSE_BRANCHES_FROM = 4
"""Number of columns of a narrow picture from which branches of a fork are nearer to each other."""


class Alignment(Enum):
    """Widths of steps side by side."""

    EQUAL = "equal"
    """All have one width."""
    BY_POSITION = "by position"
    """Each has the width of those above and below it, in other forks too."""
    NONE = "none"
    """Each has the width of the others in its branch."""


@dataclass(frozen=True)
class ColumnFit:
    """How the columns of a fork fit into the picture.

    Attributes:
        stretch: factor for the width of their texts in a narrow picture.
        alignment: widths of their boxes.
        least_width: least width of a box, for columns that are narrower than others.
    """

    stretch: float = 1
    alignment: Alignment = Alignment.NONE
    least_width: float = 0


UNFITTED = ColumnFit()
"""Columns with the usual width of texts, and boxes as wide as their texts."""
Fits = Mapping[int, ColumnFit]
"""How columns fit, by the number of columns side by side; :data:`UNFITTED` for other numbers."""


class Padding(NamedTuple):
    """Distances of a box's frame from its texts."""

    horizontal: float
    vertical: float


USUAL_PADDING, NORM_PADDING = Padding(12, 7), Padding(10, 2)
"""Padding of boxes and of norms in a wide picture."""
MOST_BESIDE = 3
"""Most boxes side by side in an encoder and a decoder that stand beside each other."""
PADDING_ACROSS = Padding(4, 7)
"""Padding of boxes in a picture to the right, where many stand in a row.

It is small, since most texts are narrower than estimated.
"""


@dataclass(frozen=True)
class Spacing:
    """Spaces around texts, and the widths at which they wrap.

    Attributes:
        padding: padding of a box.
        norm_padding: padding of the box of a norm, which is slim.
        branch_gap: distance between the branches of a fork.
        bypass: distance from a line to the steps that it passes.
        most_title_width: maximum width of a line of a cluster's title, in any cluster.
        column: maximum width of the texts in a box outside forks; infinite if they don't wrap.
        columns: the same for each box in a fork.
        is_stacked: a decoder is below its encoder, not beside it.
    """

    padding: Padding = USUAL_PADDING
    norm_padding: Padding = NORM_PADDING
    branch_gap: float = 18
    bypass: float = 18
    most_title_width: float = 150
    column: float = math.inf
    columns: Mapping[Box, float] = field(default_factory=dict)
    is_stacked: bool = False

    def width_of(self, box: Box) -> float:
        """Maximum width of the texts in a box."""
        return self.columns.get(box, self.column)

    def has_room_beside(self, boxes: Iterable[Box]) -> bool:
        """False if all boxes are in a fork of a narrow picture."""
        return any(box not in self.columns for box in boxes)

    def label_width_of(self, box: Box) -> float:
        """Maximum width of the text beside an arrow to or from a box: half of its column."""
        return self.width_of(box) / 2

    def title_width(self, parts: Room, *, is_down: bool) -> float:
        """Maximum width of a line of a cluster's title, above its parts.

        In a diagram that runs down, it stands left of the line. If it is hardly wider than the
        parts there, it makes the frame a little wider.

        Args:
            parts: size of the parts.
            is_down: the diagram runs down.
        """
        if not is_down:
            return max(parts.along, LEAST_TITLE)
        width = parts.before + CLUSTER_PADDING + CLUSTER_MARGIN
        return max(min(width, self.most_title_width), LEAST_TITLE)


def spacing_of(diagram: Diagram, width: int = WIDE, fits: Fits | None = None) -> Spacing:
    """The spaces for a column of width ``WIDE`` or ``NARROW``; texts wrap in narrow ones.

    Args:
        diagram: the diagram.
        width: width of the column.
        fits: how boxes side by side fit; only a narrow column stretches their texts.
    """
    if width == WIDE:
        if diagram.direction is Direction.LR:
            return Spacing(padding=PADDING_ACROSS)
        breadths = [breadth_of(sequence) for sequence in sequences_of(diagram.items)]
        return Spacing(is_stacked=len(breadths) > 1 and sum(breadths) > MOST_BESIDE)
    most_columns = max(diagram.columns.values(), default=0)
    padding = 6
    bypass = 10 if most_columns >= CLOSE_LINES_FROM else 12
    gap = 6 if most_columns >= CLOSE_BRANCHES_FROM else 8
    whole = NARROW - 2 * EDGE
    is_stacked = len(sequences_of(diagram.items)) > 1
    if is_stacked:
        whole -= CHANNEL
    room = whole - 2 * CLUSTER_PADDING - 2 * bypass

    def text_width(number: int) -> float:
        """Width of the texts in each of this number of columns."""
        return max((room - (number - 1) * gap) / number - 2 * padding, LEAST_WIDTH)

    # boxes that only have a line beside them, such as gates, take half of a column
    half = text_width(2 * max(most_columns, 1))
    columns: dict[Box, float] = dict.fromkeys(diagram.columns, half)
    for box, number in diagram.columns.items():
        if number > 1:
            columns[box] = (fits or {}).get(number, UNFITTED).stretch * text_width(number)
    return Spacing(
        padding=Padding(padding, 3.5 if is_stacked else 5),  # a stack of two is high
        norm_padding=Padding(padding, 2),
        branch_gap=gap,
        bypass=bypass,
        most_title_width=max(whole / 3, LEAST_TITLE),
        column=text_width(1),
        columns=columns,
        is_stacked=is_stacked,
    )
