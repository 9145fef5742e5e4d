"""Tables in LaTeX: columns as wide as they need, numbers at the right, long ones on more pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_llmsize.hosts.sphinx.nodes import NUMBER_CLASS, scroll_region

if TYPE_CHECKING:
    from sphinx.application import Sphinx

LINE = 112
"""The characters that a page is wide, in the size of a table."""
BETWEEN = 3
"""The characters that the space between columns is wide."""
LEAST = 0.4
"""How far a column of words may give way: what it needs is that of its longest line."""
SPARE = 1.15
"""How much more it gets where there is room, since headings are wider than letters are."""
LONG = 20
"""The lines of a table from which on it may go on on the next page."""
PREAMBLE = r"\ifdefined\DeclareUnicodeCharacter\DeclareUnicodeCharacter{2212}{\ensuremath{-}}\fi"
"""The minus sign, which pdflatex does not know by itself."""


def visit_scroll_region(self: Any, node: scroll_region) -> None:
    """Make a table fit."""
    table = node.children[0]
    if not isinstance(table, nodes.table):
        return
    self.body.append("\\begingroup\\footnotesize\n")
    self.next_table_colspec = "".join(_columns(table))
    if sum(map(_lines, table.findall(nodes.row))) > LONG:
        table["classes"].append("longtable")


def depart_scroll_region(self: Any, node: scroll_region) -> None:
    """End what is set for the table."""
    if isinstance(node.children[0], nodes.table):
        self.body.append("\\endgroup\n")


def _columns(table: nodes.table) -> Iterator[str]:
    """How each column is set; where there is not enough room, those without numbers give way."""
    head = next(table.findall(nodes.row))
    needed = [spec["colwidth"] + BETWEEN for spec in table.findall(nodes.colspec)]
    numeric = [NUMBER_CLASS in entry["classes"] for entry in head.findall(nodes.entry)]
    columns = list(zip(needed, numeric, strict=True))
    numbers = sum(width for width, is_number in columns if is_number)
    words = sum(needed) - numbers
    if words and numbers + LEAST * words < LINE:
        of_numbers, of_words = 1.0, min(SPARE, (LINE - numbers) / words)
    else:
        of_numbers = of_words = LINE / sum(needed)
    for width, is_number in columns:
        share = width / LINE * (of_numbers if is_number else of_words)
        ragged = "left" if is_number else "right"
        yield rf">{{\ragged{ragged}\arraybackslash}}\Y{{{share:.3f}}}"


def _lines(row: nodes.row) -> int:
    return max(len(entry.children) for entry in row.findall(nodes.entry))


def _declare(app: Sphinx) -> None:
    """Have LaTeX know the minus sign."""
    if app.builder.name == "latex":
        context = app.builder.context  # type: ignore[attr-defined]
        context["preamble"] = f"{context.get('preamble', '')}\n{PREAMBLE}"


def setup(app: Sphinx) -> None:
    """Register the visitors, and what LaTeX must know."""
    app.add_node(scroll_region, override=True, latex=(visit_scroll_region, depart_scroll_region))
    app.connect("builder-inited", _declare)
