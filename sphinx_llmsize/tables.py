"""Tables: columns, some of which fold on narrow screens, and rows of cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sphinx_llmsize.inline import Bar, Line, muted
from sphinx_llmsize.monospace import monospace_width
from sphinx_llmsize.row_kinds import RowKind


@dataclass(frozen=True)
class Column:
    """A table column.

    Attributes:
        label: heading as text.
        numeric: True for numbers: right-aligned, with digits of equal width.
        folds: True to hide the column on narrow screens, where :attr:`Row.folded` is shown instead.
        symbols: the heading with symbols as variables; empty if it has no symbols.
        quantity: the heading without the unit that it ends with; empty if it has no unit.
        unit: the unit, which follows the number where the column folds.
    """

    label: str
    numeric: bool = False
    folds: bool = False
    symbols: Line = ()
    quantity: str = ""
    unit: str = ""

    @property
    def heading(self) -> Line:
        """The heading, with symbols as variables."""
        return self.symbols or (self.label,)


def symbols_column(heading: Line, *, numeric: bool = False) -> Column:
    """A column whose heading has symbols."""
    return Column("".join(map(str, heading)), numeric, symbols=heading)


def number_columns(head: str, *labels: str) -> tuple[Column, ...]:
    """A column of row headings, followed by numeric columns."""
    return (Column(head), *(Column(label, numeric=True) for label in labels))


Cell = tuple[Line, ...]
"""Lines of a table cell, one or more."""


def cell(first: Line | str, *notes: Line | str) -> Cell:
    """A cell of one line, with notes in muted text below it; empty notes are skipped.

    The line of an empty text has no content, as in a cell without a number.
    """
    if first == "":
        first = ()
    line = (first,) if isinstance(first, str) else first
    return (line, *(muted(note) for note in notes if note))


@dataclass(frozen=True)
class Row:
    """A table row.

    Attributes:
        cells: a cell for each column; the first is the row header.
        kind: member of a group, heading of a group, or total.
        names: for each cell, the names of its numbers in the role ``llm-size``, such as
            ``qkv.per_layer``: one for each line, empty for a line without a number, and none
            for a cell without numbers. May be shorter than ``cells``.
        folded: lines below the row header, shown only where columns are hidden.
        name_lines: number of lines of the row header that name the row; the folded lines stand
            between these and the notes in the others. None if they stand below all.
    """

    cells: tuple[Cell, ...]
    kind: RowKind = RowKind.MEMBER
    names: tuple[tuple[str, ...], ...] = ()
    folded: Cell = ()
    name_lines: int | None = None

    @property
    def folded_position(self) -> int:
        """Number of lines of the row header above the folded lines."""
        return len(self.cells[0]) if self.name_lines is None else self.name_lines

    @property
    def header_may_extend(self) -> bool:
        """True if the next two cells are empty, so that the row header may extend over them."""
        if len(self.cells) < 3:  # noqa: PLR2004 - the row header and two cells
            return False
        return not any(self.cells[1]) and not any(self.cells[2])

    @property
    def named_cells(self) -> tuple[tuple[Cell, tuple[str, ...]], ...]:
        """Each cell with the names of its numbers."""
        missing = len(self.cells) - len(self.names)
        names = self.names + ((),) * missing
        return tuple(zip(self.cells, names, strict=True))


PHONE_WIDTH = 44
"""Width of the widest table that fits on a phone, in characters."""
COLUMN_GAP = 2
"""Space between columns, in characters."""
TURNED_WIDTH = 53
"""Width of the widest turned table that fits on a phone, in characters.

Turning a table makes rows of its columns. Its text is smaller, so that more characters fit.
"""
MAX_TURNED = 24
"""Maximum number of columns of a table that is turned; the stylesheet has no rules for more."""
MANY_TURNED = 5
"""Number of rows from which names also break at hyphens when the table is turned."""
MAX_STACKED = 4
"""Maximum number of columns below the names of rows; the stylesheet has no rules for more."""


@dataclass(frozen=True)
class Table:
    """A table with a header row and row headers.

    Attributes:
        caption: text of its caption, with symbols as variables.
        columns: columns with their headings.
        rows: rows, each with a cell for each column.
        label: name for screen readers, if the caption alone doesn't identify the table.
        id: name of its view, with a number if it isn't the first table there: ``memory-2``.
        is_compared: readers compare its rows, so that it is turned on a phone if possible.
        names_above: its names may stand above their numbers on a phone, as its rows have several
            lines in any case.
        has_numbers_of_chart: it has the numbers of the chart above, whose caption says what both
            show.
    """

    caption: Line
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    label: str = ""
    id: str = ""
    is_compared: bool = False
    names_above: bool = False
    has_numbers_of_chart: bool = False

    @property
    def title(self) -> str:
        """The caption as text."""
        return "".join(map(str, self.caption))

    @property
    def name(self) -> str:
        """Name for screen readers: the label, or the caption without a label."""
        return self.label or self.title

    @property
    def has_groups(self) -> bool:
        """True if there are groups: headings with their members in the rows below."""
        return any(row.kind is RowKind.GROUP for row in self.rows)

    @property
    def column_has_bars(self) -> tuple[bool, ...]:
        """For each column, True if it has cells with bars."""
        return tuple(any(map(_has_bar, cells)) for cells in self._cells_by_column())

    @property
    def is_wide(self) -> bool:
        """True if a phone has no space for all columns."""
        return sum(self.widths) + COLUMN_GAP * len(self.widths) > PHONE_WIDTH

    @property
    def turns(self) -> bool:
        """True if it is turned on a phone: its columns become rows, and none folds."""
        if not self.is_compared or not self.is_wide or len(self.columns) > MAX_TURNED:
            return False
        labels_width = max(_longest_word(column.label) for column in self.columns)
        breaks = "[ -]" if len(self.rows) >= MANY_TURNED else " "
        rows_width = sum(1 + _turned_width(row, breaks) for row in self.rows)
        return labels_width + rows_width <= TURNED_WIDTH

    @property
    def stacks(self) -> bool:
        """True if each row's name stands above its numbers on a phone, so that none folds."""
        numbers_width = sum(COLUMN_GAP + width for width in self.cell_widths[1:]) - COLUMN_GAP
        has_columns = 1 < len(self.columns) - 1 <= MAX_STACKED
        return self.names_above and has_columns and self.is_wide and numbers_width <= PHONE_WIDTH

    @property
    def folds(self) -> bool:
        """True if some columns fold on a phone."""
        return self.is_wide and not self.turns and not self.stacks

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """Width of each column, in characters; labels break between words, cells don't."""
        labels = (_longest_word(column.label) for column in self.columns)
        return tuple(map(max, self.cell_widths, labels))

    @cached_property
    def cell_widths(self) -> tuple[int, ...]:
        """Width of the cells of each column without its label, in characters."""
        return tuple(max(map(_cell_width, cells)) for cells in self._cells_by_column())

    def _cells_by_column(self) -> Iterator[tuple[Cell, ...]]:
        """The cells of each column."""
        return zip(*(row.cells for row in self.rows), strict=True)


def _turned_width(row: Row, breaks: str) -> int:
    """Width of a row that becomes a column, in characters.

    Args:
        row: the row.
        breaks: pattern of the characters at which its header breaks.
    """
    header, *cells = row.cells
    words = (_longest_word("".join(map(str, line)), breaks) for line in header)
    return max(*words, *map(_cell_width, cells))


def _longest_word(text: str, breaks: str = "[ -]") -> int:
    """Width of the longest word, in characters.

    Args:
        text: words.
        breaks: pattern of the characters at which lines break.
    """
    return max(map(monospace_width, re.split(breaks, text)))


def _has_bar(cell: Cell) -> bool:
    """True if a line of the cell has a bar."""
    return any(isinstance(piece, Bar) for line in cell for piece in line)


def _cell_width(cell: Cell) -> int:
    """Width of the longest line of a cell, in characters."""
    return max((monospace_width("".join(map(str, line))) for line in cell), default=0)
