"""Table nodes: the head and the rows, whose cells have a paragraph for each line."""

from __future__ import annotations

from collections.abc import Sequence

from docutils import nodes

from sphinx_llmsize.blocks import Cell, Column, Row, Table
from sphinx_llmsize.hosts.sphinx.inlines import GENERATED, inlines, named_number, paragraph
from sphinx_llmsize.hosts.sphinx.nodes import folded
from sphinx_llmsize.html.class_names import (
    BARS_CLASS,
    FOLDS_CLASS,
    NUMBER_CLASS,
    SPANS_CLASS,
    row_class,
)


def table_group(item: Table, *, in_html: bool) -> nodes.tgroup:
    """A table's head and rows.

    Args:
        item: the table.
        in_html: True to add the names of numbers as tooltips, and to a wide table the lines that
            narrow screens show in place of folded columns.
    """
    group = nodes.tgroup(cols=len(item.columns))
    first, *others = (nodes.colspec(colwidth=width) for width in item.widths)
    # only here: in LaTeX, a column with this attribute has headings, even if it is 0
    first["stub"] = 1
    group += [first, *others]
    head = nodes.row()
    for column, has_bars in zip(item.columns, item.column_has_bars, strict=True):
        heading = _entry((column.heading,), column)
        if has_bars:
            heading["classes"].append(BARS_CLASS)
        head += heading
    body = nodes.tbody("", *(_row(row, item, in_html=in_html) for row in item.rows))
    group += [nodes.thead("", head), body]
    return group


def _row(row: Row, item: Table, *, in_html: bool) -> nodes.row:
    """A row of a table; its folded lines are in the first cell."""
    entries = []
    for (lines, names), column in zip(row.named_cells, item.columns, strict=True):
        entries.append(_entry(lines, column, names if in_html else ()))
    if in_html and item.folds and any(row.folded):
        entries[0].insert(row.folded_position, _folded_lines(row))
    if row.header_may_extend:
        entries[0]["classes"].append(SPANS_CLASS)
    return nodes.row("", *entries, classes=[row_class(row.kind)])


def _folded_lines(row: Row) -> folded:
    """The lines of a row's folded cells, separated by spaces."""
    node = folded("", "", **GENERATED)
    for line in filter(None, row.folded):
        if node.children:
            node += nodes.Text(" ")
        node += nodes.inline("", "", *inlines(line))
    return node


def _entry(lines: Cell, column: Column, names: Sequence[str] = ()) -> nodes.entry:
    """A cell with a paragraph for each line.

    Args:
        lines: lines of the cell; empty ones are left out.
        column: the cell's column.
        names: names of the numbers on the lines, for tooltips.
    """
    paragraphs = [paragraph(line) for line in lines if line]
    for each, name in zip(paragraphs, names, strict=False):
        number = each.children
        each.children = []
        each.extend(named_number(number, name))
    classes = []
    if column.numeric:
        classes.append(NUMBER_CLASS)
    if column.folds:
        classes.append(FOLDS_CLASS)
    return nodes.entry("", *paragraphs, classes=classes)
