"""Conversion of blocks to nodes of MyST Markdown (mdast)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence

from sphinx_llmsize import templating
from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Column,
    Derivation,
    Document,
    Fact,
    Facts,
    Formula,
    Heading,
    Inline,
    Muted,
    Paragraph,
    Row,
    RowKind,
    SumRow,
    SumRowKind,
    Table,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.hosts.mystmd.inline_nodes import Node, line_nodes, math_nodes, parent, text
from sphinx_llmsize.html.svg import svg_file
from sphinx_llmsize.template_files import FOLDER
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.display_tex import HEADINGS, display_tex
from sphinx_llmsize.views.shared.wording import TIMES, label_line

INDENT = "\N{EM SPACE}"
"""Space before the name of a row that is a member of a group."""
NO_BREAK_TIMES = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
"""Sign between the dimensions of a shape, at which no line breaks."""
MATRIX_TIMES = "] ×\N{NO-BREAK SPACE}"
"""Sign between matrices, whose product may be wide: a line may break before it."""


def nodes_of(document: Document) -> list[Node]:
    """Nodes of a document."""
    return [node for block in document for node in _block(block)]


def notice(title: str, message: str) -> Node:
    """Admonition in place of a directive's output."""
    content = [parent("admonitionTitle", text(title)), parent("paragraph", text(message))]
    return {**parent("admonition", *content), "kind": "danger"}


def _block(block: Block) -> list[Node]:
    """The nodes of a block: one, except for sizes and diagrams, which may have several."""
    if isinstance(block, Facts):
        return _facts(block)
    if isinstance(block, Diagram):
        return _diagram(block)
    return [_node(block)]


def _node(block: Paragraph | Table | Formula | Derivation | Chart) -> Node:
    """The node of a block that has exactly one."""
    if isinstance(block, Heading):
        return parent("paragraph", parent("strong", *line_nodes(block.content)))
    if isinstance(block, Paragraph):
        return parent("paragraph", *line_nodes(block.content))
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Formula):
        return {"type": "math", "value": display_tex(block), "enumerated": False}
    if isinstance(block, Derivation):
        return _derivation(block)
    return _chart(block)


def _facts(block: Facts) -> list[Node]:
    """The total, and a line of the sizes."""
    nodes: list[Node] = []
    if block.total:
        note = [text(f" {block.note}")] if block.note else []
        nodes.append(parent("paragraph", parent("strong", text(block.heading)), *note))
    content: list[Node] = []
    for fact in block.facts:
        if content:
            content.append(text(" · "))
        content += _fact(fact)
    return [*nodes, parent("paragraph", *content)]


def _fact(fact: Fact) -> list[Node]:
    return [*line_nodes((fact.symbol,)), text(f" = {fact.value} {fact.meaning}")]


def _table(block: Table) -> Node:
    rows = (_row(row, block) for row in block.rows)
    caption = parent("caption", parent("paragraph", *line_nodes(block.caption)))
    return _container("table", caption, parent("table", _head(block.columns), *rows))


def _head(columns: Iterable[Column]) -> Node:
    cells = ({**_cell((column.heading,), column), "header": True} for column in columns)
    return parent("tableRow", *cells)


def _row(row: Row, table: Table) -> Node:
    is_group_member = table.has_groups and row.kind is RowKind.MEMBER
    cells: list[Node] = []
    for lines, column in zip(row.cells, table.columns, strict=True):
        is_first = not cells
        is_bold = row.kind is not RowKind.MEMBER and (is_first or column.numeric)
        is_indented = is_first and is_group_member
        cells.append(_cell(lines, column, is_bold=is_bold, is_indented=is_indented))
    return parent("tableRow", *cells)


def _cell(lines: Cell, column: Column, *, is_bold: bool = False, is_indented: bool = False) -> Node:
    """A cell of some lines; ``is_bold`` applies to the first one, ``is_indented`` to all."""
    contents: list[list[Node]] = []
    for line in filter(None, lines):
        # columns that fold have shapes; a line below the first one may be an operation
        has_shapes = column.folds or bool(contents)
        pieces = tuple(map(_without_breaks, line)) if has_shapes else line
        content = line_nodes(pieces)
        if is_bold and not contents:
            content = [parent("strong", *content)]
        if is_indented:
            content = [text(INDENT), *content]
        contents.append(content)
    return _aligned_cell(contents, "right" if column.numeric else "left")


def _aligned_cell(lines: Sequence[list[Node]], align: str) -> Node:
    """A cell with a paragraph for each line, or with the only line itself."""
    content = lines[0] if len(lines) == 1 else [parent("paragraph", *line) for line in lines]
    return {**parent("tableCell", *content), "align": align}


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
    return parent("table", _head(columns), *map(_sum_row, block.rows))


def _sum_row(row: SumRow) -> Node:
    name, result = line_nodes(label_line(row.name)), text(row.result)
    if row.kind is SumRowKind.TOTAL:
        name, result = [parent("strong", *name)], parent("strong", result)
    space = [text(INDENT)] if row.kind.is_inside else []
    results = [[each] for each in (result, *map(text, row.notes))]
    return parent(
        "tableRow",
        parent("tableCell", *space, *name),
        parent("tableCell", *math_nodes(row.symbols)),
        parent("tableCell", *math_nodes(row.numbers, before="= ")),
        _aligned_cell(results, "right"),
    )


def _diagram(block: Diagram) -> list[Node]:
    """Mermaid's source, and the legend.

    The source has no front matter: in an export to Markdown, MyST would read it as options of a
    directive.
    """
    source = templating.render(
        f"{FOLDER}/diagram.mmd.jinja", diagram=block, coloured="translucent", front_matter=False
    )
    legend = [parent("paragraph", *line_nodes(block.legend))] if block.legend else []
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
    return _container("figure", image, parent("caption", parent("paragraph", text(caption))))


def _container(kind: str, *children: Node) -> Node:
    """A table or figure with its caption, without a number."""
    return {**parent("container", *children), "kind": kind, "enumerated": False}
