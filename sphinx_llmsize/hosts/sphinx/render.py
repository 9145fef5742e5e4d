"""Conversion of blocks to docutils nodes.

Generated text is not translatable and gets no smart quotes; a caption by the author gets both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Union

from docutils import nodes

from sphinx_llmsize.blocks import (
    Bar,
    Cell,
    Drawn,
    Facts,
    Formula,
    Line,
    Muted,
    Paragraph,
    Row,
    Table,
    Variable,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Box, BoxKind, Cluster, Diagram, Fork, Part
from sphinx_llmsize.hosts.sphinx.nodes import (
    DRAWN_CLASS,
    FORMULA_CLASS,
    NUMBER_CLASS,
    SYMBOL_CLASS,
    UNSEARCHED_CLASS,
    chart,
    deferred,
    pipeline,
    scroll_region,
    share,
)
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx_llmsize.blocks import Block, Inline


@dataclass(frozen=True)
class Caption:
    """A caption by the author: its text, the nodes parsed from it, and its source position."""

    text: str
    parsed: tuple[nodes.Node, ...]
    source: str
    line: int


Deferrable = Union[Table, Facts]
"""Blocks with many nodes, created when the page is written; see :mod:`.deferred`."""
LinkBox = Callable[[Box, nodes.Node], nodes.Node]
"""Function that wraps the content of a box in its link, if it has one."""
GENERATED = {"translatable": False, "support_smartquotes": False}
"""Attributes of generated text."""
MUTED = "llmsize-muted"


def inlines(line: Line) -> list[nodes.Node]:
    """Nodes of a line."""
    return [_inline(piece) for piece in line]


def paragraph(line: Line) -> nodes.paragraph:
    """A paragraph of generated text; a line that ends with a bar becomes a ``share``."""
    if len(line) == 1 and isinstance(line[0], Muted):
        return nodes.paragraph("", line[0].text, classes=[MUTED], **GENERATED)
    if line and isinstance(line[-1], Bar):
        percent = 100 * line[-1].fraction
        return share("", "", *inlines(line[:-1]), percent=percent, **GENERATED)
    return nodes.paragraph("", "", *inlines(line), **GENERATED)


def block(item: Block, docname: str) -> nodes.Element:
    """Node of a block that has no caption: a paragraph, facts or a formula."""
    if isinstance(item, Paragraph):
        return paragraph(item.content)
    if isinstance(item, Facts):
        return deferred(block=item)
    assert isinstance(item, Formula)
    return formula(item, docname)


def content(item: Deferrable) -> nodes.Element:
    """Nodes of a deferred block."""
    return table_group(item) if isinstance(item, Table) else facts(item)


def words(item: Deferrable) -> str:
    """Words of a deferred block, each once."""
    return " ".join(dict.fromkeys(_words(item)))


def _words(item: Deferrable) -> Iterator[str]:
    if isinstance(item, Facts):
        for fact in item.facts:
            yield from (fact.symbol.base, fact.symbol.subscript, fact.value, fact.meaning)
        return
    yield from (column.label for column in item.columns)
    lines = (line for row in item.rows for cell in row.cells for line in cell)
    for piece in chain.from_iterable(lines):
        if isinstance(piece, Variable):
            yield from (piece.base, piece.subscript)
        else:
            yield str(piece)


def facts(item: Facts) -> nodes.bullet_list:
    """A list with items such as ``D = 4,096 hidden dimension``."""
    entries = nodes.bullet_list(classes=["llmsize-facts"], bullet="-")
    for fact in item.facts:
        line = (fact.symbol, f" = {fact.value} ", Muted(fact.meaning))
        entries += nodes.list_item("", paragraph(line))
    return entries


def table_group(item: Table) -> nodes.tgroup:
    """A table's head and rows."""
    group = nodes.tgroup(cols=len(item.columns))
    group += [nodes.colspec(colwidth=w, stub=int(i == 0)) for i, w in enumerate(item.widths)]
    head = nodes.row()
    for column in item.columns:
        head += _entry(((column.label,),), numeric=column.numeric)
    body = nodes.tbody("", *(_row(row, item) for row in item.rows))
    group += [nodes.thead("", head), body]
    return group


def formula(item: Formula, docname: str) -> nodes.math_block:
    """Displayed math with aligned lines."""
    # "&" is an error in a single line, which Sphinx does not put into "split"
    is_single = len(item.lines) == 1
    tex = item.lines[0].replace("&", "") if is_single else " \\\\\n".join(item.lines)
    return nodes.math_block(
        tex,
        tex,
        number=None,
        label=None,
        nowrap=False,
        docname=docname,
        # TeX would only clutter the search index
        classes=[FORMULA_CLASS, UNSEARCHED_CLASS],
    )


def table(item: Table, caption: Caption | None) -> scroll_region:
    """A table with the author's caption, or else the generated one."""
    title = _caption(nodes.title, (item.caption,), caption)
    classes = ["llmsize-table", "colwidths-auto"]
    drawn = nodes.table("", title, deferred(block=item), classes=classes)
    return scroll_region("", drawn, label=item.caption)


def figure(item: Diagram | Chart, drawn: pipeline | chart, caption: Caption | None) -> nodes.figure:
    """A figure of a diagram or chart with the author's caption, or else the generated one."""
    made = nodes.figure("", scroll_region("", drawn, label=item.title))
    made["classes"].append(f"llmsize-{drawn.kind}")
    generated = item.legend if isinstance(item, Diagram) else _chart_caption(item)
    made += _caption(nodes.caption, generated, caption)
    if caption and isinstance(item, Diagram):
        made += nodes.legend("", paragraph(generated))
    return made


def _chart_caption(item: Chart) -> Line:
    return (item.title, Drawn(f". {item.note}")) if item.note else (item.title,)


def description(item: Diagram, link: LinkBox) -> nodes.bullet_list:
    """A diagram in words: a list of its boxes, with nested lists for clusters and branches."""
    return _described_list(item.items, link, "-")


def _described_list(parts: Iterable[Part], link: LinkBox, bullet: str) -> nodes.bullet_list:
    return nodes.bullet_list("", *(_described(part, link) for part in parts), bullet=bullet)


def _described(part: Part, link: LinkBox) -> nodes.list_item:
    if isinstance(part, Cluster):
        inner = _described_list(part.parts, link, "*")
        return nodes.list_item("", paragraph((part.title,)), inner)
    if isinstance(part, Fork):
        branches = (
            nodes.list_item("", _described_list(branch, link, "+")) for branch in part.branches
        )
        inner = nodes.bullet_list("", *branches, bullet="*")
        return nodes.list_item("", paragraph((_("Side by side"),)), inner)
    shapes = (*part.lines, f"→ {part.output}") if part.output else part.lines
    line = paragraph((f": {'; '.join(shapes)}",) if shapes else ())
    title = link(part, nodes.Text(part.title))
    is_highlighted = part.kind is BoxKind.HIGHLIGHTED
    line.insert(0, nodes.strong("", "", title) if is_highlighted else title)
    return nodes.list_item("", line)


def _caption(
    kind: type[nodes.TextElement], generated: Line, own: Caption | None
) -> nodes.TextElement:
    if own is None:
        return kind("", "", *inlines(generated), **GENERATED)
    node = kind(own.text, "", *own.parsed)
    # Sphinx extracts only nodes with a source for translation
    node.source, node.line = own.source, own.line
    return node


def _row(row: Row, item: Table) -> nodes.row:
    cells = zip(row.cells, item.columns, strict=True)
    entries = [_entry(lines, numeric=column.numeric) for lines, column in cells]
    return nodes.row("", *entries, classes=[f"llmsize-{row.kind.value}"])


def _entry(lines: Cell, *, numeric: bool) -> nodes.entry:
    paragraphs = [paragraph(line) for line in lines if line]
    return nodes.entry("", *paragraphs, classes=[NUMBER_CLASS] if numeric else [])


def _inline(piece: Inline) -> nodes.Node:
    if isinstance(piece, str):
        return nodes.Text(piece)
    if isinstance(piece, (Muted, Drawn)):
        kind = MUTED if isinstance(piece, Muted) else DRAWN_CLASS
        return nodes.inline(piece.text, piece.text, classes=[kind])
    assert isinstance(piece, Variable)
    symbol = nodes.inline(piece.base, piece.base, classes=[SYMBOL_CLASS])
    if piece.subscript:
        symbol += nodes.subscript(piece.subscript, piece.subscript)
    return symbol
