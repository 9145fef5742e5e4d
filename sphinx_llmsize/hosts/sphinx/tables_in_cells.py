"""Our tables and formulas inside table cells, for writers that don't support nesting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.hosts.sphinx.guards import for_each, guarded_transform
from sphinx_llmsize.hosts.sphinx.nodes import scroll_region
from sphinx_llmsize.html.class_names import FORMULA_CLASS


class TablesInCells(SphinxPostTransform):
    """Replace tables in cells by lists, and put formulas in cells into a LaTeX group."""

    default_priority = 500
    formats = ("text", "man", "latex", "texinfo")

    @guarded_transform
    def run(self, **kwargs: Any) -> None:
        """Replace every such table and formula."""
        for_each(self.document.findall(scroll_region), _replace_in_cell)
        for math in list(self.document.findall(nodes.math_block)):
            if FORMULA_CLASS in math["classes"] and _is_in_cell(math):
                math.replace_self([_brace("{"), math.deepcopy(), _brace("}")])


def _replace_in_cell(region: scroll_region) -> None:
    """Replace a region by a list if it has a table, and is in a cell of another one."""
    if isinstance(region[0], nodes.table) and _is_in_cell(region):
        region.replace_self(_as_list(region[0]))


def _is_in_cell(node: nodes.Node) -> bool:
    """True if a node is inside the cell of a table."""
    parent = node.parent
    while parent is not None and not isinstance(parent, nodes.entry):
        parent = parent.parent
    return parent is not None


def _brace(tex: str) -> nodes.raw:
    """A brace around math in LaTeX: inside braces, ``&`` does not end the table's cell."""
    return nodes.raw("", tex, format="latex")


def _as_list(table: nodes.table) -> nodes.container:
    """A list with an item for each row of a table, below the table's caption."""
    head, *rows = table.findall(nodes.row)
    labels = [entry.astext() for entry in head.findall(nodes.entry)]
    items = nodes.bullet_list("", *(_row(row, labels) for row in rows), bullet="-")
    container = nodes.container("", items, ids=table["ids"], names=table["names"])
    if title := table.next_node(nodes.title):
        container.insert(0, nodes.paragraph("", "", *title.children))
    return container


def _row(row: nodes.row, labels: list[str]) -> nodes.list_item:
    """An item such as ``MLP: Parameters 4,329,566,208; Share 64.2%``."""
    first, *others = row.findall(nodes.entry)
    line = nodes.paragraph("", "", *_content(first))
    for number, (label, entry) in enumerate(zip(labels[1:], others, strict=True)):
        separator = "; " if number else ": "
        if content := list(_content(entry)):
            line += [nodes.Text(separator), nodes.Text(f"{label} "), *content]
    return nodes.list_item("", line)


def _content(entry: nodes.entry) -> Iterator[nodes.Node]:
    """Content of a cell on one line, with commas between its paragraphs."""
    for number, line in enumerate(entry.findall(nodes.paragraph)):
        if number:
            yield nodes.Text(", ")
        yield from line.children


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(TablesInCells)
