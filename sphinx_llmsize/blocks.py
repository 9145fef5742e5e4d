"""The neutral document: what a view says and every host can show.

Blocks hold resolved values, never markup: a host decides what a table, a formula or a
diagram looks like in its own medium.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Union


@dataclass(frozen=True)
class Variable:
    """A symbol in running text: ``H_kv`` is base ``H``, subscript ``kv``."""

    base: str
    subscript: str = ""

    def __str__(self) -> str:
        return f"{self.base}_{self.subscript}" if self.subscript else self.base


@dataclass(frozen=True)
class Muted:
    """Text that is secondary to the text above it."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Bar:
    """A fraction from 0 to 1, drawn as a bar where the medium can; the number stands beside it."""

    fraction: float

    def __str__(self) -> str:
        return ""


Inline = Union[str, Variable, Muted, Bar]
Line = tuple[Inline, ...]


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    content: Line


@dataclass(frozen=True)
class Fact:
    """A number with its name.

    Attributes:
        symbol: ``D``.
        value: ``4,096``.
        meaning: ``hidden dimension``.
    """

    symbol: Variable
    value: str
    meaning: str


@dataclass(frozen=True)
class Facts:
    """The numbers that a model is described by."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Column:
    """A table column; numeric ones are right-aligned with tabular figures."""

    label: str
    numeric: bool = False


class RowKind(Enum):
    """What a row is to the rows around it."""

    GROUP = "group"
    MEMBER = "member"
    TOTAL = "total"


Cell = tuple[Line, ...]


@dataclass(frozen=True)
class Row:
    """Cells, each of one or more lines; the first cell heads the row."""

    cells: tuple[Cell, ...]
    kind: RowKind = RowKind.MEMBER


@dataclass(frozen=True)
class Table:
    """A table with a header row and row headers."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """The characters that each column needs: its longest line, or word of its header."""
        columns = zip(self.columns, *(row.cells for row in self.rows), strict=True)
        return tuple(
            max(
                *(len(word) for word in column.label.split()),
                *(len("".join(map(str, line))) for lines in cells for line in lines),
            )
            for column, *cells in columns
        )


@dataclass(frozen=True)
class Formula:
    """Displayed TeX: lines that align at their ``&``."""

    lines: tuple[str, ...]


class BoxKind(Enum):
    """How a box of a diagram is drawn."""

    DATA = "data"
    """What goes in or comes out."""
    STEP = "step"
    """A computation whose weights, if any, do not have the highlighted symbol."""
    HIGHLIGHTED = "highlighted"
    """A step whose weights have the highlighted symbol in their shape."""


@dataclass(frozen=True)
class Box:
    """A step of a pipeline.

    Attributes:
        id: letters, digits and underscores; unique in the diagram.
        title: what the step is.
        kind: how it is drawn.
        lines: its weights' shapes.
        output: the shape of what leaves it.
    """

    id: str
    title: str
    kind: BoxKind
    lines: tuple[str, ...] = ()
    output: str = ""


@dataclass(frozen=True)
class Cluster:
    """Boxes that repeat together.

    Attributes:
        id: letters, digits and underscores; unique in the diagram.
        title: how often they repeat, ``× 32 layers``.
        boxes: in order.
    """

    id: str
    title: str
    boxes: tuple[Box, ...]


class Direction(Enum):
    """Which way a diagram runs."""

    LR = "LR"
    TB = "TB"


@dataclass(frozen=True)
class Diagram:
    """A chain of boxes, some of them clustered, each leading to the next.

    Attributes:
        title: for screen readers.
        description: the same chain in words, for screen readers.
        items: boxes and clusters in order.
        legend: what the highlighting means.
        direction: which way it runs.
    """

    title: str
    description: str
    items: tuple[Box | Cluster, ...]
    legend: Line
    direction: Direction

    def __str__(self) -> str:
        """Its title: what a doctree shows of it."""
        return self.title

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Every box in order, in a cluster or not."""
        return tuple(
            box
            for item in self.items
            for box in (item.boxes if isinstance(item, Cluster) else (item,))
        )


Block = Union[Paragraph, Facts, Table, Formula, Diagram]
Document = tuple[Block, ...]
