"""Rows of tables whose less important columns fold where there is no space for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sphinx_llmsize.blocks import Cell, Column, Line, Muted, Row, RowKind

DASH = "–"
"""Text of a cell without a value."""


def folding_row(
    columns: Sequence[Column], cells: Sequence[Cell], kind: RowKind = RowKind.MEMBER
) -> Row:
    """A row whose folded cells become lines: shapes as they are, numbers after their heading."""
    return Row(tuple(cells), kind, folded=tuple(_folded(columns, cells)))


def prominent(cell: Cell) -> Cell:
    """The lines of a cell that have text and aren't muted."""
    return tuple(line for line in cell if line and not is_muted(line))


def is_muted(line: Line) -> bool:
    """True for a second line."""
    return any(isinstance(piece, Muted) for piece in line)


def _folded(columns: Sequence[Column], cells: Sequence[Cell]) -> Iterator[Line]:
    for column, cell in zip(columns, cells, strict=True):
        lines = prominent(cell) if column.folds else ()
        if column.numeric:
            yield from ((f"{column.label} ", *line) for line in lines[:1] if line != (DASH,))
        else:
            yield from lines
