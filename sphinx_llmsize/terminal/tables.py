"""Tables and sums as wide as the terminal."""

from __future__ import annotations

from rich.box import Box
from rich.console import Group
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from sphinx_llmsize.blocks import Derivation, Row, RowKind, SumRowKind, Table, Tex
from sphinx_llmsize.formats import BAR_WIDTH
from sphinx_llmsize.tables import COLUMN_GAP
from sphinx_llmsize.terminal.texts import BOLD, MUTED, line, lines, text
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.display_math import HEADINGS
from sphinx_llmsize.views.shared.tex_as_text import plain

RULES = Box("    \n    \n ── \n    \n ── \n ── \n    \n    \n")
"""Lines below the head and above totals."""
INDENT = "  "
"""Indentation of the members of groups."""
MAX_TEXT_WIDTH = 26
"""Width up to which names and shapes stay on one line; columns fold rather than break it."""


def table(block: Table, width: int) -> Group:
    """A table below its caption; where it is too wide, columns that fold move below the names."""
    folds = _needed(block) > width
    shown = [i for i, column in enumerate(block.columns) if not (folds and column.folds)]
    grid = _grid()
    for i in shown:
        _add_column(grid, block, i)
    is_total = False
    for row in block.rows:
        if row.kind is RowKind.TOTAL and not is_total:
            grid.add_section()
            is_total = True
        grid.add_row(*(_cell(row, i, block, folds=folds) for i in shown))
    return Group(text(block.caption, BOLD), grid)


def _add_column(grid: Grid, block: Table, number: int) -> None:
    column, has_bar = block.columns[number], block.have_bars[number]
    grid.add_column(
        text(column.label.rjust(block.widths[number]) if has_bar else column.label, MUTED),
        justify="right" if column.numeric and not has_bar else "left",
        min_width=_width(block, number) if column.numeric else None,
    )


def derivation(block: Derivation) -> Grid:
    """A sum, with a row for each addend."""
    grid = _grid()
    for label in map(_, HEADINGS):
        grid.add_column(text(label, MUTED))
    grid.add_column(text(block.unit, MUTED), justify="right", no_wrap=True)
    for row in block.rows:
        is_inner, is_total = row.kind is SumRowKind.INNER, row.kind is SumRowKind.TOTAL
        if is_total:
            grid.add_section()
        style = BOLD if is_total else ""
        numbers = _tex(row.numbers)
        result = (text(row.result, style), *(text(note, MUTED) for note in row.notes))
        grid.add_row(
            _indented(text(row.name, style)) if is_inner else text(row.name, style),
            text(_tex(row.symbols)),
            text(f"= {numbers}" if numbers else ""),
            lines(result),
        )
    return grid


def _grid() -> Grid:
    return Grid(
        box=RULES,
        show_edge=False,
        pad_edge=False,
        padding=(0, COLUMN_GAP // 2),
        header_style="",
        border_style=MUTED,
    )


def _needed(block: Table) -> int:
    """Width of the table with all its columns, in characters; long texts may take more lines."""
    widths = [_width(block, i) for i in range(len(block.columns))]
    widths = [
        width if column.numeric else min(width, MAX_TEXT_WIDTH)
        for width, column in zip(widths, block.columns, strict=True)
    ]
    indent = len(INDENT) if block.has_groups else 0
    return sum(widths) + indent + COLUMN_GAP * (len(widths) - 1)


def _width(block: Table, column: int) -> int:
    """Width of a column without line breaks, in characters."""
    return block.widths[column] + (BAR_WIDTH + 1) * block.have_bars[column]


def _cell(row: Row, column: int, block: Table, *, folds: bool) -> Text | Padding:
    is_member, is_head = row.kind is RowKind.MEMBER, column == 0
    is_bold = not is_member and (is_head or block.columns[column].numeric)
    found = [line(content) for content in row.cells[column] if content]
    if found and is_bold:
        found[0].stylize(BOLD)
    if found and block.have_bars[column]:
        # padded here: aligned to the right by rich, bars would lose the spaces after them
        found[0].pad_left(max(_width(block, column) - found[0].cell_len, 0))
    if is_head and folds:
        found += [line(content, MUTED) for content in row.folded if content]
    shown = lines(found)
    return _indented(shown) if is_head and is_member and block.has_groups else shown


def _indented(shown: Text) -> Padding:
    return Padding(shown, (0, 0, 0, len(INDENT)))


def _tex(pieces: Tex) -> str:
    return plain("".join(pieces)).strip()
