"""Tables and sums, fitted to the width of the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rich.box import Box
from rich.console import Group
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from sphinx_llmsize.blocks import Derivation, Row, RowKind, SumRowKind, Table
from sphinx_llmsize.monospace import BAR_WIDTH
from sphinx_llmsize.tables import COLUMN_GAP
from sphinx_llmsize.terminal.texts import BOLD, MUTED, line, lines, text
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.display_tex import HEADINGS
from sphinx_llmsize.views.shared.tex_as_text import joined_as_text

RULES = Box("    \n    \n ── \n    \n ── \n ── \n    \n    \n")
"""Lines below the head and above totals."""
INDENT = "  "
"""Indentation of the members of groups."""
MAX_TEXT_WIDTH = 26
"""Width up to which names and shapes stay on one line: columns fold before these break."""
MIN_SUM_WIDTH = 70
"""Minimum width of a terminal for formulas of sums beside the names of addends."""
MIN_TEXT_WIDTH = 12
"""Minimum width of names and shapes that are divided into lines."""


def table(block: Table, width: int) -> Group:
    """A table below its caption.

    If it is too wide, columns that fold move below the names. If it is still too wide, it is
    divided into tables below each other, each with the names.
    """
    columns = list(range(len(block.columns)))
    folds = _needed_width(block, columns, MAX_TEXT_WIDTH) > width
    if folds:
        columns = [i for i in columns if not block.columns[i].folds]
    names, *others = columns  # the first column has the names of the rows
    parts = [[names]]
    for i in others:
        part = parts[-1]
        if len(part) > 1 and _needed_width(block, (*part, i), MIN_TEXT_WIDTH) > width:
            part = [names]
            parts.append(part)
        part.append(i)
    content: list[Text | Grid] = [line(block.caption, BOLD)]
    for number, part in enumerate(parts):
        if number:
            content.append(Text())  # a blank line
        content.append(_part(block, part, width, folds=folds))
    return Group(*content)


def _part(block: Table, columns: Sequence[int], width: int, *, folds: bool) -> Grid:
    """A table with some columns, given by their positions.

    Labels are divided into lines if the columns are too wide.
    """
    no_limit = max(block.widths)
    # a column is as wide as the longest word of its label; the whole label may need more
    excess = sum(max(len(block.columns[i].label) - _width(block, i), 0) for i in columns)
    is_tight = _needed_width(block, columns, no_limit) + excess > width
    grid = _grid()
    for i in columns:
        _add_column(grid, block, i, is_tight=is_tight)
    has_total = False
    for row in block.rows:
        if row.kind is RowKind.TOTAL and not has_total:
            grid.add_section()  # a rule above the first total
            has_total = True
        grid.add_row(*(_cell(row, i, block, folds=folds) for i in columns))
    return grid


def _add_column(grid: Grid, block: Table, position: int, *, is_tight: bool) -> None:
    """Add a column with its label.

    Args:
        grid: the table to print.
        block: the table with the column.
        position: position of the column in ``block``.
        is_tight: True if the terminal has no space for all labels on one line.
    """
    column, has_bar = block.columns[position], block.column_has_bars[position]
    width = _width(block, position)
    label = text(column.label.rjust(block.widths[position]) if has_bar else column.label, MUTED)
    if is_tight and column.numeric and not has_bar:  # rich breaks no line at a hyphen
        label = lines(text(each, MUTED) for each in wrap(column.label, width))
    grid.add_column(
        label,
        justify="right" if column.numeric and not has_bar else "left",
        overflow="fold",  # long names are divided, not cut off
        min_width=width if column.numeric else None,
        # without a fixed width, rich would cut off the last column of a tight table
        width=width if column.numeric and is_tight else None,
    )


def derivation(block: Derivation, width: int) -> Grid:
    """A sum, with a row for each addend; on narrow terminals, formulas are below the names."""
    is_narrow = width < MIN_SUM_WIDTH
    grid = _grid()
    for label in map(_, HEADINGS[:1] if is_narrow else HEADINGS):
        grid.add_column(text(label, MUTED), overflow="fold")
    grid.add_column(text(block.unit, MUTED), justify="right", no_wrap=True)
    for row in block.rows:
        is_total = row.kind is SumRowKind.TOTAL
        if is_total:
            grid.add_section()
        style = BOLD if is_total else ""
        symbols, numbers = joined_as_text(row.symbols), joined_as_text(row.numbers)
        equals_numbers = f"= {numbers}" if numbers else ""
        name = [text(row.name, style)]
        formula: list[Text] = []
        if is_narrow:
            name += [text(each, MUTED) for each in (symbols, equals_numbers) if each]
        else:
            formula = [text(symbols), text(equals_numbers)]
        result = [text(row.result, style), *(text(note, MUTED) for note in row.notes)]
        header = _indent(lines(name)) if row.kind.is_inside else lines(name)
        grid.add_row(header, *formula, lines(result))
    return grid


def _grid() -> Grid:
    """An empty table to print, with rules instead of borders."""
    return Grid(
        box=RULES,
        show_edge=False,
        pad_edge=False,
        padding=(0, COLUMN_GAP - 1, 0, 0),  # the box adds a space between columns
        header_style="",
        border_style=MUTED,
    )


def _needed_width(block: Table, columns: Sequence[int], max_text_width: int) -> int:
    """Width of some columns in characters; columns of names and shapes have a maximum width."""
    needed = len(INDENT) if block.has_groups else 0
    for i in columns:
        width = _width(block, i)
        needed += width if block.columns[i].numeric else min(width, max_text_width)
    return needed + COLUMN_GAP * (len(columns) - 1)


def _width(block: Table, column: int) -> int:
    """Width of a column without line breaks, in characters."""
    width = block.widths[column]
    return width + 1 + BAR_WIDTH if block.column_has_bars[column] else width


def _cell(row: Row, column: int, block: Table, *, folds: bool) -> Text | Padding:
    """A cell of a row; if columns fold, their lines stand below the row header."""
    is_member = row.kind is RowKind.MEMBER
    is_header = column == 0
    is_bold = not is_member and (is_header or block.columns[column].numeric)
    content = [line(each) for each in row.cells[column] if each]
    if content and is_bold:
        content[0].stylize(BOLD)
    if content and block.column_has_bars[column]:
        # padded here, since rich strips the spaces after bars when it aligns to the right
        content[0].pad_left(max(_width(block, column) - content[0].cell_len, 0))
    if is_header and folds:
        position = row.folded_position
        content[position:position] = [line(each, MUTED) for each in row.folded if each]
    is_indented = is_header and is_member and block.has_groups
    return _indent(lines(content)) if is_indented else lines(content)


def _indent(content: Text) -> Padding:
    return Padding(content, (0, 0, 0, len(INDENT)))
