"""What is read as plain text: tables whose lines stay lines, math without TeX, indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.text import Cell, Table, my_wrap

from sphinx_llmsize.hosts.sphinx.assets import PAGE_CLASS
from sphinx_llmsize.hosts.sphinx.nodes import (
    FORMULA_CLASS,
    NUMBER_CLASS,
    SYMBOL_CLASS,
    chart,
    pass_through,
    pipeline,
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
        from sphinx_llmsize.hosts.sphinx.tex_as_text import plain_lines

        for math in list(self.document.findall(nodes.math_block)):
            if FORMULA_CLASS in math["classes"]:
                text = "\n".join(plain_lines(math.astext()))
                math.replace_self(nodes.literal_block(text, text, language="none"))


class TitlesBeforeTables(SphinxPostTransform):
    """Have the captions of tables apart from the paragraph before them."""

    # after tables in cells are told, before what stands around a table goes: as they are registered
    default_priority = 500
    formats = ("man", "texinfo")

    def run(self, **kwargs: Any) -> None:
        """Put each before its table, as a paragraph."""
        for title in list(self.document.findall(nodes.title)):
            table = title.parent
            if isinstance(table, nodes.table) and isinstance(table.parent, scroll_region):
                table.remove(title)
                paragraph = nodes.paragraph("", "", *title.children)
                table.parent.insert(table.parent.index(table), paragraph)


class PlainMan(SphinxPostTransform):
    """Have indices and captions in characters too, and nothing around them: they get lost there."""

    default_priority = 500
    formats = ("man",)

    def run(self, **kwargs: Any) -> None:
        """Replace the indices, and all that has a caption by what is in it."""
        for index in list(self.document.findall(nodes.subscript)):
            if SYMBOL_CLASS in index.parent["classes"]:
                index.replace_self(nodes.Text(f"_{index.astext()}"))
        for caption in list(self.document.findall(nodes.caption)):
            if _is_ours(caption.parent):
                caption.replace_self(nodes.paragraph("", "", *caption.children))
        for around in [*self.document.findall(_is_ours)]:
            cast("nodes.Element", around).replace_self(around.children)


def _is_ours(node: nodes.Node) -> bool:
    """Whether it is what stands around our output, which ends the paragraph before it for none."""
    if isinstance(node, (nodes.container, nodes.figure)):
        named = any(name.startswith(PAGE_CLASS) for name in node["classes"])
        return (named or isinstance(node, scroll_region)) and bool(node.children)
    return isinstance(node, (chart, pipeline)) and bool(node.children)


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
    app.add_post_transform(TitlesBeforeTables)
    app.add_post_transform(PlainMan)
    app.add_node(scroll_region, override=True, text=(visit_scroll_region, pass_through))
