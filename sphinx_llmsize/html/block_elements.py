"""HTML elements of blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, repeat
from typing import Union

from sphinx_llmsize.blocks import (
    Block,
    Column,
    Derivation,
    Document,
    Facts,
    Formula,
    Note,
    Paragraph,
    Row,
    Table,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.html.class_names import (
    BARS_CLASS,
    DISPLAY_CLASS,
    FOLDED_CLASS,
    FOLDS_CLASS,
    FORMULA_CLASS,
    GROUPED_CLASS,
    HIDDEN,
    NOTE_CLASS,
    NUMBER_CLASS,
    OF_PRESET_CLASS,
    SCROLL_CLASS,
    SPANS_CLASS,
    TABLE_CLASS,
    WIDE_CLASS,
    row_class,
)
from sphinx_llmsize.html.display_math import WriteMath, display_math
from sphinx_llmsize.html.inlines import inlines, paragraph
from sphinx_llmsize.html.markup import Markup, element, joined
from sphinx_llmsize.html.mathml import mathml
from sphinx_llmsize.html.size_facts import facts
from sphinx_llmsize.html.svg import Links, draw_svg, has_two_widths, in_two_widths
from sphinx_llmsize.inline import Drawn, Line
from sphinx_llmsize.picture_widths import NARROW
from sphinx_llmsize.template_files import template_name

WriteDiagram = Union[Callable[[Diagram], Markup], None]
"""Function that writes a diagram; None to draw it as SVG."""


def blocks_in_html(
    document: Document,
    *,
    has_heading: bool = False,
    id: str = "llmsize",
    links: Links = (),
    math: WriteMath = mathml,
    diagram: WriteDiagram = None,
) -> Markup:
    """The blocks of a fragment; ``has_heading`` if there is one above, with the model's name."""
    blocks = (
        facts(block, has_heading=has_heading)
        if isinstance(block, Facts)
        else _block(block, f"{id}-{number}", links, math, diagram)
        for number, block in enumerate(document)
    )
    return joined(blocks, "\n")


def _block(block: Block, id: str, links: Links, math: WriteMath, diagram: WriteDiagram) -> Markup:
    if isinstance(block, Paragraph):
        return paragraph(block.content, class_=_paragraph_class(block))
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, (Formula, Derivation)):
        return element("div", display_math(block, math), class_=f"{DISPLAY_CLASS} {FORMULA_CLASS}")
    if isinstance(block, Diagram):
        drawn = diagram(block) if diagram else _drawn(block, "diagram", id, links)
        return _figure("diagram", drawn, block.title, block.legend)
    assert isinstance(block, Chart)
    note: Line = (Drawn((f". {block.note}",)),) if block.note else ()
    return _figure("chart", _drawn(block, "chart", id), block.title, (block.title, *note))


def _table(block: Table) -> Markup:
    """A table in a group that scrolls."""
    caption = element("caption", element("span", *inlines(block.caption), class_="caption-text"))
    cells = (
        element(
            "th",
            *inlines(column.heading),
            scope="col",
            class_=_cell_classes(column, {BARS_CLASS: has_bars}),
        )
        for column, has_bars in zip(block.columns, block.column_has_bars, strict=True)
    )
    rows = joined((_row(row, block) for row in block.rows), "\n")
    classes = {TABLE_CLASS: True, GROUPED_CLASS: block.has_groups, WIDE_CLASS: block.is_wide}
    head, body = element("thead", element("tr", *cells)), element("tbody", rows)
    table = element("table", joined((caption, head, body), "\n"), class_=_classes(classes))
    return _scrolling(table, block.name)


def _row(row: Row, table: Table) -> Markup:
    cells: list[Markup] = []
    for (cell, names), column in zip(row.named_cells, table.columns, strict=True):
        lines = [line for line in cell if line]
        # the first one or two lines can each have the name of a number
        content = list(map(paragraph, lines, chain(names, repeat(""))))
        if not cells and table.is_wide:
            folded = [element("span", *inlines(line)) for line in row.folded if line]
            shown = element("p", joined(folded, " "), class_=FOLDED_CLASS, hidden=HIDDEN)
            content += [shown] if folded else []
        kind, scope = ("td", "") if cells else ("th", "row")
        classes = _cell_classes(column, {SPANS_CLASS: not cells and row.header_may_extend})
        cells.append(element(kind, *content, scope=scope, class_=classes))
    return element("tr", *cells, class_=row_class(row.kind))


def _cell_classes(column: Column, others: Mapping[str, bool]) -> str:
    return _classes({NUMBER_CLASS: column.numeric, FOLDS_CLASS: column.folds, **others})


def _classes(conditions: Mapping[str, bool]) -> str:
    """The classes whose condition is true, separated by spaces."""
    return " ".join(name for name, is_true in conditions.items() if is_true)


def _drawn(block: Chart | Diagram, kind: str, id: str, links: Links = ()) -> Markup:
    """SVG of a chart or diagram, for a wide column and, if needed, for a narrow one."""
    template = template_name(kind, "svg")
    wide = draw_svg(block, template, links=links, id=id)
    if not has_two_widths(block):
        return Markup(wide)
    narrow = draw_svg(block, template, links=links, id=f"{id}-narrow", width=NARROW)
    return in_two_widths(wide, narrow)


def _figure(kind: str, picture: Markup, label: str, caption: Line) -> Markup:
    content = [_scrolling(picture, label)]
    if caption:
        shown = element("p", element("span", *inlines(caption), class_="caption-text"))
        content.append(element("figcaption", shown))
    return element("figure", joined(content, "\n"), class_=f"llmsize-{kind}")


def _scrolling(content: Markup, label: str) -> Markup:
    """A labelled, focusable group; not a landmark, since a page may have dozens."""
    return element(
        "div", content, class_=SCROLL_CLASS, role="group", tabindex="0", aria_label=label
    )


def _paragraph_class(block: Paragraph) -> str:
    if not isinstance(block, Note):
        return ""
    return f"{NOTE_CLASS} {OF_PRESET_CLASS}" if block.is_of_preset else NOTE_CLASS
