"""Tables whose less important columns fold on narrow screens.

The cells of a folded column become lines below the name of their row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sphinx_llmsize.blocks import Cell, Column, Line, Row, RowKind, Table
from sphinx_llmsize.inline import is_muted, muted
from sphinx_llmsize.tables import COLUMN_GAP, PHONE_WIDTH
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import filled

DASH = "–"
"""Text of a cell without a value."""
NAME_WIDTH = 15
"""Usual width of a row's name in characters; longer ones wrap."""
HEADING_WIDTH = 7
"""Usual width of a column's heading in several lines, in characters."""


def folding_row(
    columns: Sequence[Column], cells: Sequence[Cell], kind: RowKind = RowKind.MEMBER
) -> Row:
    """A row with lines for the cells that fold: texts alone, numbers after their column's heading.

    Args:
        columns: columns of the table, of which some fold.
        cells: cells of the row.
        kind: kind of the row.
    """
    return Row(tuple(cells), kind, folded=tuple(_folded(columns, cells)))


def fitting(table: Table, order: Sequence[int]) -> Table:
    """The table with as many columns as fit on a phone; the others fold.

    Args:
        table: table whose columns don't fold.
        order: positions of columns, the most important first; the first column always stays.
    """
    available = PHONE_WIDTH - NAME_WIDTH
    staying = {0}
    for position in order:
        needed = COLUMN_GAP + max(HEADING_WIDTH, table.cell_widths[position])
        if needed <= available or staying == {0}:  # one column always stays beside the first
            staying.add(position)
            available -= needed
    columns = tuple(
        replace(column, folds=position not in staying)
        for position, column in enumerate(table.columns)
    )
    rows = tuple(replace(row, folded=tuple(_folded(columns, row.cells))) for row in table.rows)
    return replace(table, columns=columns, rows=rows)


def column_with_unit(quantity: str, unit: str) -> Column:
    """``KV cache per token, bytes``: a column of numbers with their unit in its heading."""
    heading = _("{quantity}, {unit}", quantity=quantity, unit=unit)
    return Column(heading, numeric=True, quantity=quantity, unit=unit)


def prominent(cell: Cell) -> Cell:
    """The lines of a cell that have text and aren't muted."""
    return tuple(line for line in cell if line and not is_muted(line))


def labelled(heading: Line, value: Line, unit: str = "") -> Line:
    """``Active: 37.6B``: the heading of a folded column, muted, before a number of its cells.

    Args:
        heading: the heading, without a unit.
        value: the number.
        unit: unit that follows the number: ``KV cache per token: −393,216 bytes``.
    """
    if unit:
        value = (*value, f"\N{NO-BREAK SPACE}{unit}")
    return filled(_("{label}: {value}"), label=muted(heading), value=value)


def _folded(columns: Sequence[Column], cells: Sequence[Cell]) -> Iterator[Line]:
    """The lines of the cells that fold; of a numeric cell, the first line after the heading.

    Cells without a number, and those with 0, have none.
    """
    for column, cell in zip(columns, cells, strict=True):
        if not column.folds:
            continue
        lines = prominent(cell)
        if not column.numeric:
            yield from lines
        elif lines and lines[0] not in {(DASH,), ("0",)}:
            heading = (column.quantity,) if column.quantity else column.heading
            yield labelled(heading, lines[0], column.unit)
