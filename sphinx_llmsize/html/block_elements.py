"""HTML elements of blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, repeat
from typing import Union

from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Column,
    Derivation,
    Document,
    Facts,
    Formula,
    Heading,
    Note,
    Paragraph,
    Row,
    Table,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.html.class_names import (
    BARS_CLASS,
    CAPTION_CLASS,
    DISPLAY_CLASS,
    FOLDED_CLASS,
    FOLDS_CLASS,
    FORMULA_CLASS,
    HEADING_CLASS,
    HIDDEN,
    NOTE_CLASS,
    NUMBER_CLASS,
    OF_PRESET_CLASS,
    SCROLL_CLASS,
    SPANS_CLASS,
    TABLE_CLASS,
    figure_class,
    note_style,
    row_class,
    table_classes,
)
from sphinx_llmsize.html.inline_elements import inlines, paragraph
from sphinx_llmsize.html.markup import Markup, element, join
from sphinx_llmsize.html.math_elements import WriteMath, display_math
from sphinx_llmsize.html.mathml import mathml
from sphinx_llmsize.html.size_fact_elements import facts
from sphinx_llmsize.html.svg import Links, draw_svg, has_two_widths, in_two_widths
from sphinx_llmsize.inline import Line
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
    """HTML of the blocks of a document, one below the other.

    Args:
        document: the blocks.
        has_heading: True if a heading above has the model's name; the list of sizes then omits it.
        id: prefix of the ids in pictures.
        links: pairs of the id of a diagram's box and the URL that it links to.
        math: function that writes pieces of TeX.
        diagram: function that writes diagrams; None to draw them as SVG.
    """
    blocks: list[Markup] = []
    for number, block in enumerate(document):
        if isinstance(block, Facts):
            blocks.append(facts(block, has_heading=has_heading))
        else:
            blocks.append(_block(block, f"{id}-{number}", links, math, diagram))
    return join(blocks, "\n")


def _block(block: Block, id: str, links: Links, math: WriteMath, diagram: WriteDiagram) -> Markup:
    """HTML of a block other than a list of sizes; see :func:`blocks_in_html` for the arguments."""
    if isinstance(block, Note):
        content = inlines(block.content)
        return element("p", *content, class_=_note_classes(block), style=note_style(block))
    if isinstance(block, Paragraph):
        return paragraph(block.content, class_=HEADING_CLASS if isinstance(block, Heading) else "")
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, (Formula, Derivation)):
        return element("div", display_math(block, math), class_=f"{DISPLAY_CLASS} {FORMULA_CLASS}")
    if isinstance(block, Diagram):
        picture = diagram(block) if diagram else _picture(block, id, links)
        return _figure("diagram", picture, block.title, block.legend)
    assert isinstance(block, Chart)
    return _figure("chart", _picture(block, id), block.title, block.caption)


def _table(block: Table) -> Markup:
    """A table in a group that scrolls."""
    caption = element("caption", element("span", *inlines(block.caption), class_=CAPTION_CLASS))
    cells = (
        element(
            "th",
            *inlines(column.heading),
            scope="col",
            class_=_cell_classes(column, {BARS_CLASS: has_bars}),
        )
        for column, has_bars in zip(block.columns, block.column_has_bars, strict=True)
    )
    rows = join((_row(row, block) for row in block.rows), "\n")
    head, body = element("thead", element("tr", *cells)), element("tbody", rows)
    classes = " ".join((TABLE_CLASS, *table_classes(block)))
    table = element("table", join((caption, head, body), "\n"), class_=classes)
    return _scrolling_group(table, block.name)


def _row(row: Row, table: Table) -> Markup:
    """A row; its header also has the lines that replace its folded cells on narrow screens."""
    (header, header_names), *others = row.named_cells
    header_column, *columns = table.columns
    content = _lines(header, header_names)
    folded = [element("span", *inlines(line)) for line in row.folded if line]
    if folded and table.folds:
        lines = element("p", join(folded, " "), class_=FOLDED_CLASS, hidden=HIDDEN)
        content.insert(row.folded_position, lines)
    classes = _cell_classes(header_column, {SPANS_CLASS: row.header_may_extend})
    cells = [element("th", *content, scope="row", class_=classes)]
    for (cell, names), column in zip(others, columns, strict=True):
        cells.append(element("td", *_lines(cell, names), class_=_cell_classes(column, {})))
    return element("tr", *cells, class_=row_class(row.kind))


def _lines(cell: Cell, names: Sequence[str]) -> list[Markup]:
    """A paragraph for each line of a cell; ``names`` are those of the numbers in its lines."""
    lines = [line for line in cell if line]
    padded_names = chain(names, repeat(""))  # the last lines may have no number
    return [paragraph(line, name) for line, name in zip(lines, padded_names, strict=False)]


def _cell_classes(column: Column, others: Mapping[str, bool]) -> str:
    """Classes of a cell: those of its column, and others whose condition is true."""
    conditions = {NUMBER_CLASS: column.numeric, FOLDS_CLASS: column.folds, **others}
    return " ".join(name for name, is_true in conditions.items() if is_true)


def _picture(block: Chart | Diagram, id: str, links: Links = ()) -> Markup:
    """SVG of a chart or diagram, for a wide column and, if needed, for a narrow one."""
    template = template_name(block.kind, "svg")
    wide = draw_svg(block, template, links=links, id=id)
    if not has_two_widths(block):
        return Markup(wide)
    narrow = draw_svg(block, template, links=links, id=f"{id}-narrow", width=NARROW)
    return in_two_widths(wide, narrow)


def _figure(kind: str, picture: Markup, label: str, caption: Line) -> Markup:
    """A picture with a caption, if it has one; the label is for screen readers."""
    content = [_scrolling_group(picture, label)]
    if caption:
        text = element("span", *inlines(caption), class_=CAPTION_CLASS)
        content.append(element("figcaption", element("p", text)))
    return element("figure", join(content, "\n"), class_=figure_class(kind))


def _scrolling_group(content: Markup, label: str) -> Markup:
    """A labelled group that scrolls and can have the focus.

    It is not a landmark for screen readers, since a page may have dozens.
    """
    return element(
        "div", content, class_=SCROLL_CLASS, role="group", tabindex="0", aria_label=label
    )


def _note_classes(note: Note) -> str:
    """Classes of a note."""
    return f"{NOTE_CLASS} {OF_PRESET_CLASS}" if note.is_of_preset else NOTE_CLASS
