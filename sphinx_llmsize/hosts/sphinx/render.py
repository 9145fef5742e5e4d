"""Conversion of blocks to docutils nodes.

Generated text is not translatable and gets no smart quotes; a caption by the author gets both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Union

from docutils import nodes

from sphinx_llmsize.blocks import (
    Derivation,
    Facts,
    Formula,
    Heading,
    Line,
    Note,
    Paragraph,
    Table,
    Variable,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.hosts.sphinx.inlines import GENERATED, inlines, paragraph
from sphinx_llmsize.hosts.sphinx.nodes import (
    UNSEARCHED_CLASS,
    chart,
    deferred,
    display_formula,
    display_sum,
    pipeline,
    scroll_region,
    turned_note,
)
from sphinx_llmsize.hosts.sphinx.size_fact_nodes import facts
from sphinx_llmsize.hosts.sphinx.table_nodes import table_group
from sphinx_llmsize.html.class_names import (
    FORMULA_CLASS,
    HEADING_CLASS,
    NOTE_CLASS,
    TABLE_CLASS,
    figure_class,
    note_style,
    table_classes,
)
from sphinx_llmsize.views.shared.display_tex import display_tex

if TYPE_CHECKING:
    from sphinx_llmsize.blocks import Block


@dataclass(frozen=True)
class Caption:
    """A caption by the author: its text, the nodes parsed from it, and its source position."""

    text: str
    parsed: tuple[nodes.Node, ...]
    source: str
    line: int


Deferrable = Union[Table, Facts, Formula, Derivation]
"""Blocks whose nodes can be created when the page is written; see :mod:`.deferred`."""


def block(item: Block, *, in_mathml: bool) -> nodes.Element:
    """Node of a block that has no caption: a paragraph, facts, a formula or a sum.

    Formulas and sums in MathML are deferred, since Sphinx's math extensions load their scripts for
    pages whose doctree contains math.
    """
    if isinstance(item, Heading):
        content = inlines(item.content)
        return nodes.rubric("", "", *content, classes=[HEADING_CLASS], **GENERATED)
    if isinstance(item, Note):
        content, style = inlines(item.content), note_style(item)
        if style:
            return turned_note("", "", *content, style=style, classes=[NOTE_CLASS], **GENERATED)
        return nodes.paragraph("", "", *content, classes=[NOTE_CLASS], **GENERATED)
    if isinstance(item, Paragraph):
        return paragraph(item.content)
    assert isinstance(item, (Facts, Formula, Derivation))
    if in_mathml or isinstance(item, Facts):
        return deferred(block=item)
    return displayed_math(item)


def deferred_content(item: Deferrable, *, in_html: bool) -> nodes.Element:
    """Nodes of a deferred block.

    Args:
        item: the block.
        in_html: True to add what only HTML shows: names of numbers, and lines for narrow screens.
    """
    if isinstance(item, Table):
        return table_group(item, in_html=in_html)
    if isinstance(item, Facts):
        return facts(item, in_html=in_html)
    return displayed_math(item)


def words(item: Deferrable) -> str:
    """Words of a deferred block, each once; none for math, which would clutter the search index."""
    return " ".join(dict.fromkeys(_words(item)))


def _words(item: Deferrable) -> Iterator[str]:
    """Texts of a list of sizes or a table, with repetitions."""
    if isinstance(item, Facts):
        yield from (item.name, item.total, item.note)
        for fact in item.facts:
            yield from (fact.symbol.base, fact.symbol.subscript, fact.value, fact.meaning)
    if not isinstance(item, Table):
        return
    yield from (column.label for column in item.columns)
    lines = (line for row in item.rows for cell in row.cells for line in cell)
    for piece in chain.from_iterable(lines):
        if isinstance(piece, Variable):
            yield from (piece.base, piece.subscript)
        else:
            yield str(piece)


def displayed_math(item: Formula | Derivation) -> display_formula:
    """Displayed equations or a sum."""
    tex = display_tex(item)
    kind = display_sum if isinstance(item, Derivation) else display_formula
    return kind(
        tex,
        tex,
        block=item,
        number=None,
        label=None,
        nowrap=False,
        # TeX would only clutter the search index
        classes=[FORMULA_CLASS, UNSEARCHED_CLASS],
    )


def table(item: Table, caption: Caption | None) -> scroll_region:
    """A table with the author's caption, or else the generated one."""
    title = _caption(nodes.title, item.caption, caption)
    classes = [TABLE_CLASS, "colwidths-auto", *table_classes(item)]
    node = nodes.table("", title, deferred(block=item), classes=classes)
    return scroll_region("", node, label=item.name)


def figure(
    item: Diagram | Chart, picture: pipeline | chart, caption: Caption | None
) -> nodes.figure:
    """A figure of a diagram or chart with the author's caption, or else the generated one."""
    node = nodes.figure("", scroll_region("", picture, label=item.title))
    node["classes"].append(figure_class(picture.kind))
    generated = item.legend if isinstance(item, Diagram) else item.caption
    if generated or caption:
        node += _caption(nodes.caption, generated, caption)
    if generated and caption and isinstance(item, Diagram):
        node += nodes.legend("", paragraph(generated))
    return node


def _caption(
    kind: type[nodes.TextElement], generated: Line, by_author: Caption | None
) -> nodes.TextElement:
    """A title or caption with the author's own text, or else the generated one."""
    if by_author is None:
        return kind("", "", *inlines(generated), **GENERATED)
    node = kind(by_author.text, "", *by_author.parsed)
    # Sphinx extracts only nodes with a source for translation
    node.source, node.line = by_author.source, by_author.line
    return node
