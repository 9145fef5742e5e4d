"""Conversion of blocks to nodes of MyST Markdown (mdast).

Text is the value of a node, so that no theme or export reads it as markup.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
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
"""A node as JSON: its ``type``, and its ``children`` or its ``value``."""
INDENT = "\N{EM SPACE}"
"""Space before the name of a row that is a member of a group."""
NO_BREAK_TIMES = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
"""Sign between the dimensions of a shape, at which no line breaks."""
MATRIX_TIMES = "] ×\N{NO-BREAK SPACE}"
"""Sign between matrices, whose product may be wide: a line may break before it."""


def nodes_of(document: Document) -> list[Node]:
    """Nodes of a document."""
    return [node for block in document for node in _block(block)]


def text(value: str) -> Node:
    """Text, with control characters as escapes.

    Exports to Markdown don't escape dollar signs, so that the fullwidth sign ``＄`` replaces them.
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
        is_first = not cells
        is_bold = row.kind is not RowKind.MEMBER and (is_first or column.numeric)
        is_indented = is_first and is_member
        cells.append(_cell(lines, column, is_bold=is_bold, is_indented=is_indented))
    return _parent("tableRow", *cells)


def _cell(lines: Cell, column: Column, *, is_bold: bool = False, is_indented: bool = False) -> Node:
    """A cell of some lines; with ``is_bold``, the first one is bold."""
    contents: list[list[Node]] = []
    for line in filter(None, lines):
        pieces = tuple(map(_without_breaks, line)) if column.folds else line
        content = _line(pieces)
        if is_bold and not contents:
            content = [_parent("strong", *content)]
        if is_indented:
            content = [text(INDENT), *content]
        contents.append(content)
    return _aligned_cell(contents, "right" if column.numeric else "left")


def _aligned_cell(lines: Sequence[list[Node]], align: str) -> Node:
    """A cell with a paragraph for each line, or with the only line itself."""
    content = lines[0] if len(lines) == 1 else [_parent("paragraph", *line) for line in lines]
    return {**_parent("tableCell", *content), "align": align}


def _without_breaks(piece: Inline) -> Inline:
    """The piece, with signs ``×`` at which no line breaks."""
    if isinstance(piece, Muted):
        return Muted(_with_no_break_times(piece.text))
    return _with_no_break_times(piece) if isinstance(piece, str) else piece


def _with_no_break_times(shape: str) -> str:
    return shape.replace(f"]{TIMES}", MATRIX_TIMES).replace(TIMES, NO_BREAK_TIMES)


def _derivation(block: Derivation) -> Node:
    """A sum as a table, since formulas in cells wrap in narrow columns."""
    columns = (*(Column(_(heading)) for heading in HEADINGS), Column(block.unit, numeric=True))
    return _parent("table", _head(columns), *map(_sum_row, block.rows))


def _sum_row(row: SumRow) -> Node:
    name, result = text(row.name), text(row.result)
    if row.kind is SumRowKind.TOTAL:
        name, result = _parent("strong", name), _parent("strong", result)
    space = [text(INDENT)] if row.kind.is_inside else []
    results = [[each] for each in (result, *map(text, row.notes))]
    return _parent(
        "tableRow",
        _parent("tableCell", *space, name),
        _parent("tableCell", *_math(row.symbols)),
        _parent("tableCell", *_math(row.numbers, before="= ")),
        _aligned_cell(results, "right"),
    )


def _math(tex: Tex, before: str = "") -> list[Node]:
    """Inline math in pieces, between which a line may break.

    Args:
        tex: the pieces; none for no math.
        before: TeX before the first of them.
    """
    if not tex:
        return []
    first, *others = tex
    math = [_inline_math(f"{before}{first}")]
    for piece in others:
        math += [text(" "), _inline_math(piece)]
    return math


def _inline_math(tex: str) -> Node:
    return {"type": "inlineMath", "value": signed_tex(tex)}


def _diagram(block: Diagram) -> list[Node]:
    """Mermaid's source, and the legend.

    The source has no front matter: in an export to Markdown, MyST would read it as options of a
    directive.
    """
    source = templating.render(
        f"{FOLDER}/diagram.mmd.jinja", diagram=block, coloured="translucent", front_matter=False
    )
    legend = [_parent("paragraph", *_line(block.legend))] if block.legend else []
    return [{"type": "mermaid", "value": source}, *legend]


def _chart(block: Chart) -> Node:
    """A figure with the drawn chart; its caption is the title, with the chart's note."""
    svg = b64encode(svg_file(block).encode()).decode()
    image = {
        "type": "image",
        "url": f"data:image/svg+xml;base64,{svg}",
        "alt": visible(block.alternative),
    }
    caption = f"{block.title}. {block.note}" if block.note else block.title
    return _container("figure", image, _parent("caption", _parent("paragraph", text(caption))))


def _line(line: Line) -> list[Node]:
    return [node for piece in line for node in _inline(piece)]


def _inline(piece: Inline) -> list[Node]:
    if isinstance(piece, Variable):
        return _variable(piece)
    if isinstance(piece, Bar):
        return []
    if isinstance(piece, Code):
        return [{"type": "inlineCode", "value": visible(piece.text)}]
    return [text(str(piece))]


def _variable(variable: Variable) -> list[Node]:
    """A variable with its subscript, in which words are upright."""
    base = _parent("emphasis", text(variable.base))
    subscript = [
        _parent("emphasis", text(part)) if is_italic else text(part)
        for part, is_italic in variable.subscript_parts
    ]
    return [base, _parent("subscript", *subscript)] if subscript else [base]


def _container(kind: str, *children: Node) -> Node:
    """A table or figure with its caption, without a number."""
    return {**_parent("container", *children), "kind": kind, "enumerated": False}


def _parent(type: str, *children: Node) -> Node:
    return {"type": type, "children": list(children)}
