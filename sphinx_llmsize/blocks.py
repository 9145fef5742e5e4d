"""Blocks of a document: the output of views and the input of hosts.

Blocks hold values, never markup. Each host renders them in its own medium.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Union

from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.formats import columns, in_tex
from sphinx_llmsize.inline import Bar, Drawn, Inline, Line, Muted, Variable

__all__ = [
    "Bar",
    "Block",
    "Cell",
    "Column",
    "Derivation",
    "Document",
    "Drawn",
    "Fact",
    "Facts",
    "Formula",
    "Inline",
    "Line",
    "Muted",
    "Paragraph",
    "Row",
    "RowKind",
    "SumRow",
    "SumRowKind",
    "Table",
    "Tex",
    "Variable",
    "cell",
    "number_columns",
]


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    content: Line


@dataclass(frozen=True)
class Fact:
    """A size of a model with its symbol and meaning.

    Attributes:
        symbol: ``D``.
        value: ``4,096``.
        meaning: ``hidden dimension``.
        name: name of the number in the role, ``hidden_dim``; empty if it has none.
    """

    symbol: Variable
    value: str
    meaning: str
    name: str = ""


@dataclass(frozen=True)
class Facts:
    """List of sizes, shown above a table.

    Attributes:
        facts: the sizes that readers look for.
        others: the other sizes, less prominent.
        name: name of the model, as a heading; empty for none.
        total: ``6,738,415,616 parameters``, after the name.
        note: ``(6.74B)``, after the total.
    """

    facts: tuple[Fact, ...]
    others: tuple[Fact, ...] = ()
    name: str = ""
    total: str = ""
    note: str = ""


@dataclass(frozen=True)
class Column:
    """A table column.

    Attributes:
        label: heading.
        numeric: right-aligned, with digits of equal width.
        folds: hidden where the table has no space for it; :attr:`Row.folded` takes its place.
    """

    label: str
    numeric: bool = False
    folds: bool = False


def number_columns(head: str, *labels: str) -> tuple[Column, ...]:
    """A column of row headings, followed by numeric columns."""
    return (Column(head), *(Column(label, numeric=True) for label in labels))


class RowKind(Enum):
    """Kind of a table row; sets its font weight and indentation."""

    GROUP = "group"
    MEMBER = "member"
    TOTAL = "total"


Cell = tuple[Line, ...]
"""Lines of a table cell, one or more."""


def cell(first: Line | str, *notes: str) -> Cell:
    """A cell of one line, with notes in muted text below it; empty notes are skipped."""
    line = (first,) if isinstance(first, str) else first
    return (line, *((Muted(note),) for note in notes if note))


@dataclass(frozen=True)
class Row:
    """A table row.

    Attributes:
        cells: a cell for each column; the first is the row header.
        kind: member of a group, heading of one, or total.
        names: for each cell, the names of its numbers in the role, one or two: ``qkv.per_layer``,
            or none if it has no number. Empty if no cell has one.
        folded: lines below the row header in place of the columns that fold.
    """

    cells: tuple[Cell, ...]
    kind: RowKind = RowKind.MEMBER
    names: tuple[tuple[str, ...], ...] = ()
    folded: Cell = ()

    @property
    def named_cells(self) -> tuple[tuple[Cell, tuple[str, ...]], ...]:
        """Each cell with the names of its numbers."""
        names = (*self.names, *[()] * (len(self.cells) - len(self.names)))
        return tuple(zip(self.cells, names, strict=True))


PHONE_WIDTH = 44
"""Characters of a table that fit next to each other on a phone."""
COLUMN_GAP = 2
"""Space between columns, in characters."""


@dataclass(frozen=True)
class Table:
    """A table with a header row and row headers.

    Attributes:
        caption: text of its caption.
        columns: headings.
        rows: cells.
        label: name for screen readers, if the caption alone doesn't identify the table.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    label: str = ""

    @property
    def has_groups(self) -> bool:
        """True if rows are members of groups, below their headings."""
        return any(row.kind is RowKind.GROUP for row in self.rows)

    @property
    def is_wide(self) -> bool:
        """True if not all columns have space on a phone."""
        return sum(self.widths) + COLUMN_GAP * len(self.widths) > PHONE_WIDTH

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """Width of each column in characters: its longest cell line or word of its label."""
        cells_by_column = zip(self.columns, *(row.cells for row in self.rows), strict=True)
        return tuple(
            max(
                *(columns(word) for word in column.label.split(" ")),
                *(columns("".join(map(str, line))) for lines in cells for line in lines),
            )
            for column, *cells in cells_by_column
        )


Tex = tuple[str, ...]
"""TeX in pieces, between which a line may break."""


@dataclass(frozen=True)
class Formula:
    """Displayed equations, one per line."""

    lines: tuple[Tex, ...]

    def __post_init__(self) -> None:
        lines = tuple(tuple(map(in_tex, line)) for line in self.lines)
        object.__setattr__(self, "lines", lines)


class SumRowKind(Enum):
    """Kind of a row in a sum."""

    ADDEND = "addend"
    INNER = "inner"
    """An addend in a bracket."""
    PRODUCT = "product"
    """The product of a factor and the bracket above it."""
    TOTAL = "total"


@dataclass(frozen=True)
class SumRow:
    """A row of a sum: ``Feed-forward: 3 D F = 3 × 4,096 × 11,008 = 135,266,304``.

    Attributes:
        name: name of the addend.
        symbols: TeX of the addend in symbols; empty if there is none.
        numbers: the same in numbers; empty if the symbols stand for the result.
        result: value of the addend.
        kind: part of the sum.
        notes: the result in other units.
    """

    name: str
    symbols: Tex
    numbers: Tex
    result: str
    kind: SumRowKind = SumRowKind.ADDEND
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbols", tuple(map(in_tex, self.symbols)))
        object.__setattr__(self, "numbers", tuple(map(in_tex, self.numbers)))


@dataclass(frozen=True)
class Derivation:
    """A sum with a row for each addend.

    Attributes:
        unit: heading of the results: ``Parameters``.
        rows: addends, brackets and the total, in order.
    """

    unit: str
    rows: tuple[SumRow, ...]


Block = Union[Paragraph, Facts, Table, Formula, Derivation, Diagram, Chart]
Document = tuple[Block, ...]
