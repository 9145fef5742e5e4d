"""Plain text, man pages and Texinfo: tables, math without TeX, subscripts, captions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from docutils import nodes
from docutils.utils import column_width
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.text import Cell, Table, my_wrap

from sphinx_llmsize.hosts.sphinx.guards import for_each, guarded_transform, guarded_visitor
from sphinx_llmsize.hosts.sphinx.nodes import (
    chart,
    display_formula,
    pass_through,
    pipeline,
    scroll_region,
)
from sphinx_llmsize.html.class_names import (
    GROUPED_CLASS,
    NUMBER_CLASS,
    OUTPUT_CLASS,
    SYMBOL_CLASS,
    row_class,
)
from sphinx_llmsize.row_kinds import RowKind
from sphinx_llmsize.typography import NO_BREAK

INDENT = "  "
"""Indentation of the members of groups."""


class PlainFormulas(SphinxPostTransform):
    """Write formulas as plain text instead of TeX."""

    default_priority = 500
    formats = ("text", "man", "texinfo")

    def run(self, **kwargs: Any) -> None:
        """Replace the formulas."""
        from sphinx_llmsize.views.shared.tex_as_text import plain_lines

        def replace(math: display_formula) -> None:
            text = "\n".join(plain_lines(math["block"]))
            math.replace_self(nodes.literal_block(text, text, language="none"))

        for_each(self.document.findall(display_formula), replace)


class OrdinarySpaces(SphinxPostTransform):
    """Write no-break spaces in generated text as ordinary ones, which readers search for."""

    default_priority = 500
    formats = ("text", "man", "texinfo")

    @guarded_transform
    def run(self, **kwargs: Any) -> None:
        """Replace the spaces in every output of a directive."""
        texts = (
            text
            for output in self.document.findall(_is_output)
            for text in output.findall(nodes.Text)
        )
        for text in list(texts):
            if NO_BREAK in text:
                text.parent.replace(text, nodes.Text(text.replace(NO_BREAK, " ")))


class TitlesBeforeTables(SphinxPostTransform):
    """Move captions of tables out, since the writers join them to the preceding paragraph."""

    # equal priorities run in order of registration: after TablesInCells, which the module
    # tables_in_cells registers, before PlainMan
    default_priority = 500
    formats = ("man", "texinfo")

    @guarded_transform
    def run(self, **kwargs: Any) -> None:
        """Replace each caption by a paragraph before its table."""
        for title in list(self.document.findall(nodes.title)):
            table = title.parent
            if isinstance(table, nodes.table) and isinstance(table.parent, scroll_region):
                table.remove(title)
                paragraph = nodes.paragraph("", "", *title.children)
                table.parent.insert(table.parent.index(table), paragraph)


class PlainMan(SphinxPostTransform):
    """Write subscripts and captions as text, and containers as their content, for man pages.

    The writer of man pages only lowers subscripts, which terminals don't show, and writes captions
    without a paragraph of their own.
    """

    default_priority = 500
    formats = ("man",)

    @guarded_transform
    def run(self, **kwargs: Any) -> None:
        """Replace subscripts and captions by text, and containers by their content."""
        for subscript in list(self.document.findall(nodes.subscript)):
            if SYMBOL_CLASS in subscript.parent["classes"]:
                subscript.replace_self(nodes.Text(f"_{subscript.astext()}"))
        for caption in list(self.document.findall(nodes.caption)):
            if _is_llmsize_wrapper(caption.parent):
                caption.replace_self(nodes.paragraph("", "", *caption.children))
        for container in [*self.document.findall(_is_llmsize_wrapper)]:
            cast("nodes.Element", container).replace_self(container.children)


def _is_output(node: nodes.Node) -> bool:
    """True for the container of a directive's output."""
    return isinstance(node, nodes.Element) and OUTPUT_CLASS in node.get("classes", ())


def _is_llmsize_wrapper(node: nodes.Node) -> bool:
    """True for containers, figures, pictures and scroll regions of this extension, unless empty.

    The writer of man pages would add blank lines around them.
    """
    if not node.children:
        return False
    if isinstance(node, (chart, pipeline, scroll_region)):
        return True
    if isinstance(node, (nodes.container, nodes.figure)):
        return any(name.startswith(OUTPUT_CLASS) for name in node["classes"])
    return False


class _MultilineCell(Cell):
    """A cell that preserves line breaks, and aligns numbers to the right."""

    def __init__(self, lines: list[str], *, is_number: bool) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines
        self.is_number = is_number

    def wrap(self, width: int) -> None:
        """Wrap each line at ``width`` characters."""
        self.wrapped = [part for line in self.lines for part in my_wrap(line, width)]
        if self.is_number:
            self.wrapped = [" " * (width - column_width(part)) + part for part in self.wrapped]


def visit_scroll_region(self: Any, node: scroll_region) -> None:
    """Write a table as text, below its caption."""
    table = node[0]
    if not isinstance(table, nodes.table):
        return
    text = str(_text_table(table))
    if title := table.next_node(nodes.title):
        self.new_state(0)
        self.add_text(title.astext())
        self.end_state(wrap=False)
    self.new_state(0)
    self.add_text(text)
    self.end_state(wrap=False)
    raise nodes.SkipNode


def _text_table(table: nodes.table) -> Table:
    """A table for the text writer, with a line below the head and members of groups indented."""
    widths = [spec["colwidth"] for spec in table.findall(nodes.colspec)]
    head, *rows = table.findall(nodes.row)
    text_table = Table(widths)
    is_grouped = GROUPED_CLASS in table["classes"]
    _add_cells(text_table, head)
    text_table.set_separator()
    for row in rows:
        text_table.add_row()
        is_member = row_class(RowKind.MEMBER) in row["classes"]
        _add_cells(text_table, row, INDENT if is_grouped and is_member else "")
    return text_table


def _add_cells(text_table: Table, row: nodes.row, indent: str = "") -> None:
    """Add the cells of a row, the first of them indented."""
    for column, entry in enumerate(row.findall(nodes.entry)):
        before = indent if column == 0 else ""
        lines = [f"{before}{line}" for line in _lines(entry)]
        cell = _MultilineCell(lines, is_number=NUMBER_CLASS in entry["classes"])
        text_table.add_cell(cell)


def _lines(entry: nodes.entry) -> Iterator[str]:
    """Text of each paragraph in a cell, with subscripts written as ``_x``."""
    for paragraph in entry.findall(nodes.paragraph):
        line = ""
        for text in paragraph.findall(nodes.Text):
            line += f"_{text}" if isinstance(text.parent, nodes.subscript) else text
        yield line


def setup(app: Sphinx) -> None:
    """Register the transforms and the visitor."""
    app.add_post_transform(PlainFormulas)
    app.add_post_transform(OrdinarySpaces)
    app.add_post_transform(TitlesBeforeTables)
    app.add_post_transform(PlainMan)
    app.add_node(
        scroll_region, override=True, text=(guarded_visitor(visit_scroll_region), pass_through)
    )
