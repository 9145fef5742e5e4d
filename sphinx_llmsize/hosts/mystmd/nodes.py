"""Nodes of MyST Markdown (mdast) for blocks.

Nodes hold text as values, which no theme or export reads as markup.
"""

from __future__ import annotations

import re
from base64 import b64encode
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
    Facts,
    Formula,
    Inline,
    Line,
    Paragraph,
    Row,
    RowKind,
    Table,
    Variable,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.drawing import draw
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.formats import bar_text
from sphinx_llmsize.template_files import FOLDER, template_name
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.display_math import display_tex

Node = dict[str, Any]
PAPER = "#fff"
"""Background of charts, which themes show as pictures, in dark pages too."""
INDENT = "\u2003"
"""Space before the name of a row that is a member of a group."""
_TEXT = re.compile(r"\\text(?:bf)?\{[^{}]*\}")


def nodes(document: Document) -> list[Node]:
    """Nodes of a document."""
    return [node for block in document for node in _block(block)]


def text(value: str) -> Node:
    """Text, with control characters as escapes."""
    return {"type": "text", "value": visible(value)}


def notice(title: str, message: str) -> Node:
    """Admonition in place of a directive's output."""
    content = [_parent("admonitionTitle", text(title)), _parent("paragraph", text(message))]
    return {**_parent("admonition", *content), "kind": "danger"}


def _block(block: Block) -> list[Node]:
    if isinstance(block, Paragraph):
        return [_parent("paragraph", *_line(block.content))]
    if isinstance(block, Facts):
        return _facts(block)
    if isinstance(block, Table):
        return [_table(block)]
    if isinstance(block, (Formula, Derivation)):
        return [{"type": "math", "value": _tex(block), "enumerated": False}]
    if isinstance(block, Diagram):
        return _diagram(block)
    assert isinstance(block, Chart)
    return [_chart(block)]


def _facts(block: Facts) -> list[Node]:
    """The total, a list of the main sizes, and a line of the others."""
    facts = [
        [*_line((fact.symbol,)), text(f" = {fact.value} {fact.meaning}")] for fact in block.facts
    ]
    others: list[Node] = []
    for fact in block.others:
        others += [text(" · ")] if others else []
        others += [*_line((fact.symbol,)), text(f" = {fact.value} {fact.meaning}")]
    made: list[Node] = []
    if block.total:
        heading = " · ".join(filter(None, (block.name, block.total)))
        note = [text(f" {block.note}")] if block.note else []
        made.append(_parent("paragraph", _parent("strong", text(heading)), *note))
    items = [_parent("listItem", _parent("paragraph", *fact)) for fact in facts]
    made.append({**_parent("list", *items), "ordered": False, "spread": False})
    if others:
        made.append(_parent("paragraph", text(_("Also:") + " "), *others))
    return made


def _table(block: Table) -> Node:
    head = _parent(
        "tableRow",
        *({**_cell(((column.label,),), column), "header": True} for column in block.columns),
    )
    rows = (_row(row, block) for row in block.rows)
    caption = _parent("caption", _parent("paragraph", text(block.caption)))
    return _container("table", caption, _parent("table", head, *rows))


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
        shown = [_parent("strong", *_line(line))] if is_bold and not number else _line(line)
        space = [text(INDENT)] if indent else []
        paragraphs.append(_parent("paragraph", *space, *shown))
    return {**_parent("tableCell", *paragraphs), "align": "right" if column.numeric else "left"}


def _tex(block: Formula | Derivation) -> str:
    """TeX for KaTeX, which has no sign of multiplication in text."""
    return _TEXT.sub(lambda found: found[0].replace("×", r"$\times$"), display_tex(block))


def _diagram(block: Diagram) -> list[Node]:
    """Source for Mermaid, and the legend."""
    source = templating.render(f"{FOLDER}/diagram.mmd.jinja", diagram=block, coloured="translucent")
    legend = [_parent("paragraph", *_line(block.legend))] if block.legend else []
    return [{"type": "mermaid", "value": source}, *legend]


def _chart(block: Chart) -> Node:
    """A picture, described in words, with its title."""
    svg = templating.render(
        template_name("chart", "svg"), picture=draw(block), links={}, id="llmsize", background=PAPER
    )
    url = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    image = {"type": "image", "url": url, "alt": visible(block.description)}
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
        return [text(f" {bar_text(piece.fraction)}")]
    if isinstance(piece, Code):
        return [{"type": "inlineCode", "value": visible(piece.text)}]
    return [text(str(piece))]


def _container(kind: str, *children: Node) -> Node:
    """A table or figure with its caption, without a number."""
    return {**_parent("container", *children), "kind": kind, "enumerated": False}


def _parent(type: str, *children: Node) -> Node:
    return {"type": type, "children": list(children)}
