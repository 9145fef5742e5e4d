"""Nodes of MyST Markdown (mdast) for blocks.

Nodes hold text as values, which no theme or export reads as markup.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from typing import Any

from sphinx_llmsize import templating
from sphinx_llmsize.blocks import (
    Bar,
    Block,
    Cell,
    Code,
    Column,
    Derivation,
    Document,
    Fact,
    Facts,
    Formula,
    Inline,
    Line,
    Muted,
    Paragraph,
    Row,
    RowKind,
    SumRow,
    SumRowKind,
    Table,
    Tex,
    Variable,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.html.display_math import signed_tex
from sphinx_llmsize.html.svg import svg_file
from sphinx_llmsize.template_files import FOLDER
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.display_math import HEADINGS, display_tex
from sphinx_llmsize.views.shared.wording import TIMES

Node = dict[str, Any]
INDENT = "\N{EM SPACE}"
"""Space before the name of a row that is a member of a group."""
NO_BREAK_TIMES = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
"""Sign between the dimensions of a shape, at which no line breaks."""
MATRIX_TIMES = "] ×\N{NO-BREAK SPACE}"
"""Sign between matrices, whose product may be wide: a line may break before it."""


def nodes(document: Document) -> list[Node]:
    """Nodes of a document."""
    return [node for block in document for node in _block(block)]


def text(value: str) -> Node:
    """Text, with control characters as escapes.

    Exports of Markdown don't escape ``$``, so that a lookalike takes its place.
    """
    return {"type": "text", "value": visible(value).replace("$", "＄")}


def notice(title: str, message: str) -> Node:
    """Admonition in place of a directive's output."""
    content = [_parent("admonitionTitle", text(title)), _parent("paragraph", text(message))]
    return {**_parent("admonition", *content), "kind": "danger"}


def _block(block: Block) -> list[Node]:
    if isinstance(block, Facts):
        return _facts(block)
    if isinstance(block, Diagram):
        return _diagram(block)
    return [_node(block)]


def _node(block: Paragraph | Table | Formula | Derivation | Chart) -> Node:
    if isinstance(block, Paragraph):
        return _parent("paragraph", *_line(block.content))
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Formula):
        return {"type": "math", "value": display_tex(block), "enumerated": False}
    return _derivation(block) if isinstance(block, Derivation) else _chart(block)


def _facts(block: Facts) -> list[Node]:
    """The total, and a line of the sizes."""
    made: list[Node] = []
    if block.total:
        note = [text(f" {block.note}")] if block.note else []
        made.append(_parent("paragraph", _parent("strong", text(block.heading)), *note))
    content: list[Node] = []
    for fact in block.facts:
        content += [*([text(" · ")] if content else []), *_fact(fact)]
    return [*made, _parent("paragraph", *content)]


def _fact(fact: Fact) -> list[Node]:
    return [*_inline(fact.symbol), text(f" = {fact.value} {fact.meaning}")]


def _table(block: Table) -> Node:
    rows = (_row(row, block) for row in block.rows)
    caption = _parent("caption", _parent("paragraph", *_line(block.caption)))
    return _container("table", caption, _parent("table", _head(block.columns), *rows))


def _head(columns: Iterable[Column]) -> Node:
    cells = ({**_cell((column.heading,), column), "header": True} for column in columns)
    return _parent("tableRow", *cells)


def _row(row: Row, table: Table) -> Node:
    is_member = table.has_groups and row.kind is RowKind.MEMBER
    cells: list[Node] = []
    for lines, column in zip(row.cells, table.columns, strict=True):
        is_bold = row.kind is not RowKind.MEMBER and (not cells or column.numeric)
        cells.append(_cell(lines, column, is_bold=is_bold, indent=is_member and not cells))
    return _parent("tableRow", *cells)


def _cell(lines: Cell, column: Column, *, is_bold: bool = False, indent: bool = False) -> Node:
    """A cell, perhaps with its first line bold or indented."""
    paragraphs: list[Node] = []
    for number, line in enumerate(line for line in lines if line):
        pieces = tuple(map(_unbroken, line)) if column.folds else line
        shown = [_parent("strong", *_line(pieces))] if is_bold and not number else _line(pieces)
        space = [text(INDENT)] if indent else []
        paragraphs.append(_parent("paragraph", *space, *shown))
    return {**_parent("tableCell", *paragraphs), "align": "right" if column.numeric else "left"}


def _unbroken(piece: Inline) -> Inline:
    """The piece, in which no line breaks at the ``×`` of a shape."""
    if isinstance(piece, Muted):
        return Muted(_with_unbroken_times(piece.text))
    return _with_unbroken_times(piece) if isinstance(piece, str) else piece


def _with_unbroken_times(written: str) -> str:
    return written.replace(f"]{TIMES}", MATRIX_TIMES).replace(TIMES, NO_BREAK_TIMES)


def _derivation(block: Derivation) -> Node:
    """A table, whose formulas wrap in narrow columns."""
    columns = (*(Column(_(heading)) for heading in HEADINGS), Column(block.unit, numeric=True))
    return _parent("table", _head(columns), *map(_sum_row, block.rows))


def _sum_row(row: SumRow) -> Node:
    space = [text(INDENT)] if row.kind.is_inside else []
    is_bold = row.kind is SumRowKind.TOTAL
    name, result = (
        _parent("strong", text(shown)) if is_bold else text(shown)
        for shown in (row.name, row.result)
    )
    results = [_parent("paragraph", each) for each in (result, *map(text, row.notes))]
    return _parent(
        "tableRow",
        _parent("tableCell", *space, name),
        _parent("tableCell", *_math(row.symbols)),
        _parent("tableCell", *_math(row.numbers, before="= ")),
        {**_parent("tableCell", *results), "align": "right"},
    )


def _math(tex: Tex, before: str = "") -> list[Node]:
    """Inline math, between whose pieces a line may break."""
    if not tex:
        return []
    made: list[Node] = []
    for piece in (f"{before}{tex[0]}", *tex[1:]):
        made += [text(" ")] if made else []
        made.append({"type": "inlineMath", "value": signed_tex(piece)})
    return made


def _diagram(block: Diagram) -> list[Node]:
    """Source for Mermaid, and the legend.

    MyST would read front matter, in an export to Markdown, as options of a directive.
    """
    source = templating.render(
        f"{FOLDER}/diagram.mmd.jinja", diagram=block, coloured="translucent", front_matter=False
    )
    legend = [_parent("paragraph", *_line(block.legend))] if block.legend else []
    return [{"type": "mermaid", "value": source}, *legend]


def _chart(block: Chart) -> Node:
    """A picture, described in words, with its title."""
    url = f"data:image/svg+xml;base64,{b64encode(svg_file(block).encode()).decode()}"
    image = {"type": "image", "url": url, "alt": visible(block.alternative)}
    shown = f"{block.title}. {block.note}" if block.note else block.title
    return _container("figure", image, _parent("caption", _parent("paragraph", text(shown))))


def _line(line: Line) -> list[Node]:
    return [node for piece in line for node in _inline(piece)]


def _inline(piece: Inline) -> list[Node]:
    if isinstance(piece, Variable):
        below = [
            _parent("emphasis", text(part)) if is_italic else text(part)
            for part, is_italic in piece.subscript_parts
        ]
        base = _parent("emphasis", text(piece.base))
        return [base, _parent("subscript", *below)] if below else [base]
    if isinstance(piece, Bar):
        return []
    if isinstance(piece, Code):
        return [{"type": "inlineCode", "value": visible(piece.text)}]
    return [text(str(piece))]


def _container(kind: str, *children: Node) -> Node:
    """A table or figure with its caption, without a number."""
    return {**_parent("container", *children), "kind": kind, "enumerated": False}


def _parent(type: str, *children: Node) -> Node:
    return {"type": type, "children": list(children)}
