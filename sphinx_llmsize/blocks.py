"""The neutral document: what a view says and every host can show.

Blocks hold resolved values, never markup: a host decides what a table, a formula or a
diagram looks like in its own medium.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Union

from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.formats import columns


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
class Drawn:
    """Text that is true of a picture only, left out where the picture is told in words."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Bar:
    """A fraction from 0 to 1, drawn as a bar where the medium can; the number stands beside it."""

    fraction: float

    def __str__(self) -> str:
        return ""


Inline = Union[str, Variable, Muted, Drawn, Bar]
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
        each = zip(self.columns, *(row.cells for row in self.rows), strict=True)
        return tuple(
            max(
                *(columns(word) for word in column.label.split()),
                *(columns("".join(map(str, line))) for lines in cells for line in lines),
            )
            for column, *cells in each
        )


@dataclass(frozen=True)
class Formula:
    """Displayed TeX: lines that align at their ``&``."""

    lines: tuple[str, ...]


Block = Union[Paragraph, Facts, Table, Formula, Diagram, Chart]
Document = tuple[Block, ...]
