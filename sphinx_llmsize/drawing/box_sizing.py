"""Computation of the sizes of a diagram's boxes, with their arrows and the labels of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.drawing.orientation import Orientation, Room
from sphinx_llmsize.drawing.picture import LINE_HEIGHT
from sphinx_llmsize.drawing.sized_parts import SizedBox
from sphinx_llmsize.drawing.spacing import ADDITION_RADIUS, ARROW, UNLABELLED_LINE, Padding, Spacing
from sphinx_llmsize.drawing.text_runs import Runs, line_width, wrapped_runs
from sphinx_llmsize.drawing.wrapped_box_text import box_texts


@dataclass(frozen=True)
class BoxSizing:
    """Computes the sizes of boxes.

    Attributes:
        orientation: direction of the diagram.
        spacing: spaces, and widths at which texts wrap.
        sources: ids of boxes with an outgoing arrow.
        targets: ids of boxes with space for an incoming arrow.
        is_short: boxes have their short lines, as the lines of one of them would not fit.
        widths: width of a box that others side by side need, even if its text is shorter.
        rows: number of text lines that a box has room for, even if it has fewer, by id.
    """

    orientation: Orientation
    spacing: Spacing
    sources: frozenset[str]
    targets: frozenset[str]
    is_short: bool = False
    widths: Mapping[Box, float] = field(default_factory=dict)
    rows: Mapping[str, int] = field(default_factory=dict)

    def sized(self, box: Box, width: float = 0) -> SizedBox:
        """A box with its arrow and the label of the arrow to the next box.

        Args:
            box: the box.
            width: least width of the box of a step.
        """
        frame = self._frame(box, width)
        arrow = ARROW if box.id in self.targets else 0
        output: tuple[Runs, ...] = ()
        label = Room(0, 0, 0)
        if box.id in self.sources:
            label = Room(UNLABELLED_LINE, 0, 0)
            if box.output:
                output = wrapped_runs(box.output, self.spacing.label_width_of(box))
                label = self.orientation.label_room(output)
        room = Room(
            arrow + frame.along + label.along,
            max(frame.before, label.before),
            max(frame.after, label.after),
        )
        return SizedBox(room, box, frame, arrow, self.texts(box), output)

    def texts(self, box: Box) -> tuple[Runs, ...]:
        """Lines of text in a box."""
        width, is_down = self.spacing.width_of(box), self.orientation.is_down
        return box_texts(box, width, is_down=is_down, is_short=self.is_short)

    def width(self, box: Box) -> float:
        """Width of a box: that of its longest line, with padding, or that of others beside it."""
        longest = max(map(line_width, self.texts(box)), default=0)
        return max(longest + 2 * self._padding(box).horizontal, self.widths.get(box, 0))

    def _frame(self, box: Box, width: float) -> Room:
        """Space for the rectangle of a box; that of a step has at least this width."""
        if box.kind is BoxKind.ADDITION:
            return self.orientation.box_room(2 * ADDITION_RADIUS, 2 * ADDITION_RADIUS)
        own_width = self.width(box)
        rows = max(len(self.texts(box)), self.rows.get(box.id, 0))
        height = rows * LINE_HEIGHT + 2 * self._padding(box).vertical
        is_step = box.kind is BoxKind.STEP
        return self.orientation.box_room(max(width, own_width) if is_step else own_width, height)

    def _padding(self, box: Box) -> Padding:
        """Distances of the frame from the texts."""
        is_norm = box.kind is BoxKind.NORM
        return self.spacing.norm_padding if is_norm else self.spacing.padding
