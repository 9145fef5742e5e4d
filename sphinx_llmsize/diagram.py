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
"""Number of characters of a line for which a box of the usual width has room."""


class Direction(Enum):
    """Direction of a diagram: to the right or down."""

    LR = "LR"
    TB = "TB"


@dataclass(frozen=True)
class Diagram:
    """A pipeline diagram: parts, each with arrows to the next.

    Attributes:
        title: for screen readers.
        description: the diagram in words, for screen readers.
        items: parts in order.
        legend: meaning of frames and colours; empty if it is not shown.
        direction: to the right or down.
        id: name of its view, with a number if it isn't the view's first picture.
        has_frames: ``connections`` include the frames of clusters, in a diagram that runs down; if
            False, Mermaid frames the clusters itself.
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
        """Every cluster, outer ones before inner ones."""
        return tuple(clusters_of(self.items))

    @property
    def is_wide(self) -> bool:
        """True if a line of text in a box outside forks is so long that boxes in line are wider."""
        columns = self.columns
        lines = (line for box in self.boxes if box not in columns for line in box.lines)
        return any(sum(len(str(piece)) for piece in line) > USUAL_LINE for line in lines)

    @property
    def columns(self) -> dict[Box, int]:
        """For each box in a fork, a number of columns, as from :func:`.columns_of`."""
        return dict(columns_of(self.items))

    @cached_property
    def arrows(self) -> tuple[Arrow, ...]:
        """Every arrow in order; those of residual connections after the steps they bypass."""
        return arrows_of(self.items)

    @cached_property
    def connections(self) -> tuple[Connection, ...]:
        """Lines between boxes and joints for Mermaid, from left to right."""
        is_down = self.direction is Direction.TB
        return connections_of(self.items, is_down=is_down, has_frames=is_down and self.has_frames)

    @property
    def framed_by_mermaid(self) -> Diagram:
        """The same diagram, with Mermaid's own frames around clusters.

        They keep boxes of different widths in line; frames of lines only keep boxes of one width.
        """
        return replace(self, has_frames=False)

    @property
    def joints(self) -> tuple[Joint, ...]:
        """Points other than boxes at which ``connections`` begin or end."""
        ends = (end for line in self.connections for end in (line.start, line.end))
        return tuple(dict.fromkeys(end for end in ends if isinstance(end, Joint)))
