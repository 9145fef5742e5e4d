"""Pipeline diagrams as data, for all hosts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import ClassVar

from sphinx_llmsize.diagram_arrows import Arrow, arrows_of
from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_breadth import columns_of
from sphinx_llmsize.diagram_connections import Connection
from sphinx_llmsize.diagram_joints import Joint
from sphinx_llmsize.diagram_lines import connections_of
from sphinx_llmsize.diagram_tree import Cluster, Part, boxes_of, clusters_of
from sphinx_llmsize.inline import Line

USUAL_LINE = 28
"""Maximum number of characters of a line in a box of the usual width."""
TWO_COLUMNS = 2
"""Number of columns of boxes for which a page has room to spare."""
LINE_IN_COLUMN = 30
"""Maximum number of characters of a line in a box in two columns of the usual width."""


class Direction(Enum):
    """Direction in which the steps of a diagram follow each other."""

    LR = "LR"
    """To the right."""
    TB = "TB"
    """Down."""


@dataclass(frozen=True)
class Diagram:
    """A pipeline diagram: parts in order, from which arrows and lines are derived.

    Attributes:
        title: for screen readers.
        description: the diagram in words, for screen readers.
        items: parts in order.
        legend: meaning of frames and colours; empty if it is not shown.
        direction: to the right or down.
        id: name of its view, with a number if it isn't the view's first picture.
        has_frames: True to draw frames of clusters in Mermaid as lines among ``connections``; only
            in a diagram that runs down. Otherwise Mermaid's own frames (subgraphs) are used.
    """

    kind: ClassVar[str] = "diagram"
    """Name of its template."""
    title: str
    description: str
    items: tuple[Part, ...]
    legend: Line
    direction: Direction
    id: str = ""
    has_frames: bool = True

    @property
    def alternative(self) -> str:
        """Text in place of the picture; it begins with the title, which the caption lacks."""
        return f"{self.title}: {self.description}"

    def __str__(self) -> str:
        """The title, as shown in dumps of a doctree."""
        return self.title

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """Every box in order, at any depth."""
        return tuple(boxes_of(self.items))

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """Every cluster that is shown, outer ones before inner ones."""
        return tuple(each for each in clusters_of(self.items) if not each.is_missing)

    @property
    def is_wide(self) -> bool:
        """True if boxes outside forks have a long line of text, so that all of them are wider."""
        columns = self.columns
        outside_forks = [box for box in self.boxes if box not in columns]
        lines = [line for box in outside_forks for line in box.lines]
        return any(sum(len(str(piece)) for piece in line) > USUAL_LINE for line in lines)

    @property
    def is_broad(self) -> bool:
        """True if boxes in two columns side by side have a long line, so that they are wider."""
        columns = self.columns
        if max(columns.values(), default=0) != TWO_COLUMNS:
            return False
        boxes = [box for box, number in columns.items() if number == TWO_COLUMNS]
        lines = ["".join(map(str, line)) for box in boxes for line in box.lines]
        return max(map(len, lines), default=0) > LINE_IN_COLUMN

    @property
    def columns(self) -> dict[Box, int]:
        """Number of columns side by side for each box in a fork; see :func:`.columns_of`."""
        return dict(columns_of(self.items))

    @cached_property
    def arrows(self) -> tuple[Arrow, ...]:
        """Every arrow in order; those of residual connections after the steps they bypass."""
        return arrows_of(self.items)

    @cached_property
    def connections(self) -> tuple[Connection, ...]:
        """Lines between boxes and joints for Mermaid, from left to right."""
        is_down = self.direction is Direction.TB
        has_frames = is_down and self.has_frames
        return connections_of(self.items, is_down=is_down, has_frames=has_frames)

    @property
    def framed_by_mermaid(self) -> Diagram:
        """The same diagram, with Mermaid's own frames around clusters.

        Mermaid's frames keep boxes in line even if their widths differ. Frames among the
        ``connections`` need boxes of equal widths.
        """
        return replace(self, has_frames=False)

    @property
    def joints(self) -> tuple[Joint, ...]:
        """Points other than boxes at which ``connections`` begin or end."""
        ends = (end for line in self.connections for end in (line.start, line.end))
        return tuple(dict.fromkeys(end for end in ends if isinstance(end, Joint)))
