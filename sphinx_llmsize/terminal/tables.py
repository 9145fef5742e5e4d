"""Tables and sums as wide as the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

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
MIN_SUM_WIDTH = 70
"""Width of a terminal where formulas of sums are beside the names of addends."""
MIN_TEXT_WIDTH = 12
"""Width to which names and shapes can be divided into lines."""


def table(block: Table, width: int) -> Group:
    """A table below its caption.

    Where it is too wide, columns that fold move below the names. If it is still too wide, it is
    divided into tables below each other, each with the names.
    """
    every = range(len(block.columns))
    folds = _needed(block, every, MAX_TEXT_WIDTH) > width
    shown = [i for i in every if not (folds and block.columns[i].folds)]
    parts = [[shown[0]]]
    for i in shown[1:]:
        if len(parts[-1]) > 1 and _needed(block, (*parts[-1], i), MIN_TEXT_WIDTH) > width:
            parts.append([shown[0]])
        parts[-1].append(i)
    first, *others = (_part(block, part, width, folds=folds) for part in parts)
    below = (shown for part in others for shown in (Text(), part))
    return Group(line(block.caption, BOLD), first, *below)


def _part(block: Table, shown: Sequence[int], width: int, *, folds: bool) -> Grid:
    """The table's columns with these numbers; labels are divided into lines where it is wide."""
    most = max(block.widths)  # no column is limited
    excess = sum(max(len(block.columns[i].label) - _width(block, i), 0) for i in shown)
    is_tight = _needed(block, shown, most) + excess > width
    grid = _grid()
    for i in shown:
        _add_column(grid, block, i, is_tight=is_tight)
    is_total = False
    for row in block.rows:
        if row.kind is RowKind.TOTAL and not is_total:
            grid.add_section()
            is_total = True
        grid.add_row(*(_cell(row, i, block, folds=folds) for i in shown))
    return grid


def _add_column(grid: Grid, block: Table, number: int, *, is_tight: bool) -> None:
    column, has_bar = block.columns[number], block.column_has_bars[number]
    label = text(column.label.rjust(block.widths[number]) if has_bar else column.label, MUTED)
    if is_tight and column.numeric and not has_bar:  # rich breaks no line at a hyphen
        label = lines(text(each, MUTED) for each in wrap(column.label, _width(block, number)))
    grid.add_column(
        label,
        justify="right" if column.numeric and not has_bar else "left",
        overflow="fold",  # long names are divided, not cut off
        min_width=_width(block, number) if column.numeric else None,
        # rich would cut off the last column
        width=_width(block, number) if column.numeric and is_tight else None,
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
        symbols, numbers = _tex(row.symbols), _tex(row.numbers)
        name = [text(row.name, style)]
        muted = MUTED if is_narrow else ""
        formula = [text(symbols, muted), text(f"= {numbers}" if numbers else "", muted)]
        if is_narrow:
            name, formula = [*name, *(each for each in formula if each)], []
        result = (text(row.result, style), *(text(note, MUTED) for note in row.notes))
        shown = lines(name)
        first = _indented(shown) if row.kind.is_inside else shown
        grid.add_row(first, *formula, lines(result))
    return grid


def _grid() -> Grid:
    return Grid(
        box=RULES,
        show_edge=False,
        pad_edge=False,
        padding=(0, COLUMN_GAP - 1, 0, 0),  # the box adds a space between columns
        header_style="",
        border_style=MUTED,
    )


def _needed(block: Table, shown: Sequence[int], most: int) -> int:
    """Width of columns in characters, with at most so many for those of names and shapes."""
    widths = (
        _width(block, i) if block.columns[i].numeric else min(_width(block, i), most) for i in shown
    )
    indent = len(INDENT) if block.has_groups else 0
    return sum(widths) + indent + COLUMN_GAP * (len(shown) - 1)


def _width(block: Table, column: int) -> int:
    """Width of a column without line breaks, in characters."""
    return block.widths[column] + (BAR_WIDTH + 1) * block.column_has_bars[column]


def _cell(row: Row, column: int, block: Table, *, folds: bool) -> Text | Padding:
    is_member, is_head = row.kind is RowKind.MEMBER, column == 0
    is_bold = not is_member and (is_head or block.columns[column].numeric)
    found = [line(content) for content in row.cells[column] if content]
    if found and is_bold:
        found[0].stylize(BOLD)
    if found and block.column_has_bars[column]:
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
