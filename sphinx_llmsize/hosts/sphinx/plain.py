"""What is read as plain text: tables whose lines stay lines, math without TeX, indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.text import Cell, Table, my_wrap

from sphinx_llmsize.hosts.sphinx.nodes import (
    FORMULA_CLASS,
    NUMBER_CLASS,
    SYMBOL_CLASS,
    pass_through,
    scroll_region,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx


class PlainText(SphinxPostTransform):
    """Have formulas in characters."""

    default_priority = 500
    formats = ("text", "man", "texinfo")

    def run(self, **kwargs: Any) -> None:
        """Replace the formulas."""
        from sphinx_llmsize.hosts.sphinx.plain_math import plain_lines

        for math in list(self.document.findall(nodes.math_block)):
            if FORMULA_CLASS in math["classes"]:
                text = "\n".join(plain_lines(math.astext()))
                math.replace_self(nodes.literal_block(text, text, language="none"))


class PlainMan(SphinxPostTransform):
    """Have indices and captions in characters too, which get lost in man pages."""

    default_priority = 500
    formats = ("man",)

    def run(self, **kwargs: Any) -> None:
        """Replace the indices and captions."""
        for index in list(self.document.findall(nodes.subscript)):
            if SYMBOL_CLASS in index.parent["classes"]:
                index.replace_self(nodes.Text(f"_{index.astext()}"))
        for region in self.document.findall(scroll_region):
            _caption_before(region)


def _caption_before(region: scroll_region) -> None:
    """Have a table's caption in a paragraph before it."""
    table = region[0]
    if isinstance(table, nodes.table) and isinstance(table[0], nodes.title):
        title = table.pop(0)
        region.insert(0, nodes.paragraph("", "", *title.children))


class _Lines(Cell):
    """A cell whose lines are not joined."""

    def __init__(self, lines: list[str], *, is_number: bool) -> None:
        super().__init__("\n".join(lines))
        self.lines, self.is_number = lines, is_number

    def wrap(self, width: int) -> None:
        """Lay it out in that many characters."""
        wrapped = [part for line in self.lines for part in my_wrap(line, width)]
        self.wrapped = [_at_right(part, width) if self.is_number else part for part in wrapped]


def _at_right(text: str, width: int) -> str:
    from sphinx_llmsize.formats import columns

    return " " * (width - columns(text)) + text


def visit_scroll_region(self: Any, node: scroll_region) -> None:
    """A table as text, below its caption."""
    table = node[0]
    if not isinstance(table, nodes.table):
        return
    if title := table.next_node(nodes.title):
        self.new_state(0)
        self.add_text(title.astext())
        self.end_state(wrap=False)
    self.new_state(0)
    self.add_text(str(_drawn(table)))
    self.end_state(wrap=False)
    raise nodes.SkipNode


def _drawn(table: nodes.table) -> Table:
    widths = [spec["colwidth"] for spec in table.findall(nodes.colspec)]
    head, *rows = table.findall(nodes.row)
    drawn = Table(widths)
    for number, row in enumerate((head, *rows)):
        if number == 1:
            drawn.set_separator()
        if number:
            drawn.add_row()
        for entry in row.findall(nodes.entry):
            is_number = NUMBER_CLASS in entry["classes"]
            drawn.add_cell(_Lines(list(_lines(entry)), is_number=is_number))
    return drawn


def _lines(entry: nodes.entry) -> Iterator[str]:
    for paragraph in entry.findall(nodes.paragraph):
        texts = paragraph.findall(nodes.Text)
        yield "".join(f"_{t}" if isinstance(t.parent, nodes.subscript) else t for t in texts)


def setup(app: Sphinx) -> None:
    """Register the transforms and the visitor."""
    app.add_post_transform(PlainText)
    app.add_post_transform(PlainMan)
    app.add_node(scroll_region, override=True, text=(visit_scroll_region, pass_through))
