"""CSV host: tables with the ids of their rows and exact numbers, for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from sphinx_llmsize.blocks import (
    Block,
    Derivation,
    Document,
    Facts,
    Formula,
    Paragraph,
    Row,
    SumRow,
    Table,
)
from sphinx_llmsize.charts import Curves, StackedBars
from sphinx_llmsize.data import cell_lines, line_text
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.inline import is_muted
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.display_tex import HEADINGS
from sphinx_llmsize.views.shared.tex_as_text import joined_as_text

if TYPE_CHECKING:
    from sphinx_llmsize.report import Report

ID = "id"
"""Heading of the column of ids."""
_NUMBER = re.compile(r"(?P<sign>[-+−]?)(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<end>(?:\.\d+)?%?)")
"""Number as readers see it, such as ``−1,024`` or ``64.2%``."""
_WITH_UNIT = re.compile(rf"{_NUMBER.pattern} (?P<unit>[^\W\d]+)")
"""Number with a unit: ``13.5 GB``."""
_FORMULA_STARTS = tuple("=+-@")
"""Characters at the start of a cell with which spreadsheets run it as a formula."""
Cells = tuple[str, ...]
"""Texts of the cells of a row."""


def show(report: Report) -> str:
    """The blocks as tables, with an empty line between them.

    Unless the user chose the views, only the first table; all blocks if there is no table.
    """
    blocks: Document = report.blocks
    if not report.has_chosen_views:
        tables = tuple(block for block in blocks if isinstance(block, Table))
        blocks = tables[:1] or blocks
    return "\n\n".join(_csv_text(_rows(block)) for block in blocks)


def _csv_text(rows: Iterable[Cells]) -> str:
    """Rows as CSV, without a line end after the last."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for row in rows:
        writer.writerow(map(_csv_cell, row))
    return file.getvalue().rstrip("\n")


def _csv_cell(cell: str) -> str:
    """A cell as spreadsheets read it: a plain number, or a text that is not run as a formula.

    In a number, separators and a plus are left out, and a minus is a hyphen: ``−1,024`` becomes
    ``-1024``.
    """
    cell = " ".join(visible(cell).split())
    if match := _NUMBER.fullmatch(cell):
        sign = "" if match["sign"] in {"", "+"} else "-"
        return f"{sign}{match['digits'].replace(',', '')}{match['end']}"
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell


def _rows(block: Block) -> Iterator[Cells]:
    """Headings and rows of a block; a row for each line of a formula or paragraph."""
    if isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Facts):
        yield from _facts(block)
    elif isinstance(block, Derivation):
        yield from _derivation(block)
    elif isinstance(block, Diagram):
        yield (ID, _("Step"), _("Shape"), _("Output"))
        for box in block.boxes:
            yield (box.id, box.title, "; ".join(map(line_text, box.lines)), line_text(box.output))
    elif isinstance(block, StackedBars | Curves):
        yield from _chart(block)
    elif isinstance(block, Formula):
        for line in block.lines:
            yield (joined_as_text(line),)
    elif isinstance(block, Paragraph):
        yield (line_text(block.content),)


def _facts(block: Facts) -> Iterator[Cells]:
    """Headings and rows of a list of sizes."""
    yield (ID, _("Symbol"), _("Value"), _("Meaning"))
    for fact in block.facts:
        yield (fact.name, str(fact.symbol), fact.value, fact.meaning)


def _derivation(block: Derivation) -> Iterator[Cells]:
    """Headings and rows of a sum."""
    yield (*map(_, HEADINGS), block.unit)
    for row in block.rows:
        name, result = _name_with_unit(row)
        yield (name, joined_as_text(row.symbols), joined_as_text(row.numbers), result)


def _name_with_unit(row: SumRow) -> tuple[str, str]:
    """Name and result of a row, whose unit moves from the result to the name.

    A result contains its unit only if it isn't the one in the column's heading.
    """
    if found := _WITH_UNIT.fullmatch(row.result):
        return f"{row.name}, {found['unit']}", row.result.removesuffix(f" {found['unit']}")
    return row.name, row.result


def _chart(block: StackedBars | Curves) -> Iterator[Cells]:
    """Headings and rows of a chart: a row for each bar or curve."""
    if isinstance(block, StackedBars):
        yield (_("Model"), *(part.label for part in block.parts))
        for bar in block.bars:
            yield (bar.label, *map(str, bar.values))
    else:
        yield (block.x_label, *block.x_ticks)
        for series in block.series:
            yield (series.name, *map(str, series.values))


def _table(block: Table) -> Iterator[Cells]:
    """Headings and rows of a table.

    The first column has the ids of the rows, if they have any. In columns of numbers, each line of
    the cells becomes a column of its own; a column whose cells are all empty is left out.
    """
    ids = [_id(row) for row in block.rows]
    columns = [(ID, ids)] if any(ids) else []
    for position, column in enumerate(block.columns):
        values = [_cell_lines(row, position) for row in block.rows]
        if column.numeric:
            for numbers in zip_longest(*values, fillvalue=""):
                columns.append(_number_column(column.label, numbers))
        else:
            columns.append((column.label, list(map("; ".join, values))))
    yield tuple(_distinct_labels(label for label, _values in columns))
    yield from zip(*(values for _label, values in columns), strict=True)


def _distinct_labels(labels: Iterable[str]) -> Iterator[str]:
    """The labels; repeated ones get a number: ``Parameters``, ``Parameters 2``."""
    seen = Counter[str]()
    for label in labels:
        seen[label] += 1
        yield f"{label} {seen[label]}" if seen[label] > 1 else label


def _number_column(label: str, values: tuple[str, ...]) -> tuple[str, list[str]]:
    """Heading and numbers of a column; a unit that all of them have is part of the heading."""
    matches = [_WITH_UNIT.fullmatch(value) for value in values if value]
    units = {each["unit"] if each else "" for each in matches}
    if len(units) != 1 or units == {""}:
        return label, list(values)
    (unit,) = units
    return f"{label}, {unit}", [value.removesuffix(f" {unit}") for value in values]


def _id(row: Row) -> str:
    """Id of a row: the shortest name of its numbers, without a format; empty without names.

    It is ``qkv`` in a row with the numbers ``qkv.per_layer:exact`` and ``qkv:share``.
    """
    names = [name.partition(":")[0] for cell in row.names for name in cell if name]
    return min(names, key=len, default="")


def _cell_lines(row: Row, column: int) -> list[str]:
    """The lines of a cell; those of the first column without muted notes."""
    cell = row.cells[column]
    if column == 0:
        cell = tuple(line for line in cell if not is_muted(line))
    return cell_lines(cell)
