"""Tables and figures in LaTeX: column widths, long tables, diagrams that span several pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.sphinx.guards import connect, guarded_transform, guarded_visitor
from sphinx_llmsize.hosts.sphinx.nodes import chart, pipeline, scroll_region
from sphinx_llmsize.html.class_names import (
    LEANING_CLASS,
    NUMBER_CLASS,
    SYMBOL_CLASS,
    UPRIGHT_CLASS,
)
from sphinx_llmsize.internal_errors import only_config_errors

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sphinx_llmsize.drawing.pipeline_picture import PipelinePicture

PAGE_WIDTH = 112
"""Characters that fit across a page at the font size of tables."""
COLUMN_GAP = 3
"""Width of the space between columns, in characters."""
MIN_TEXT_SCALE = 0.4
"""Minimum width of a text column, relative to its longest line."""
MAX_TEXT_SCALE = 1.15
"""Maximum width of a text column, relative to its longest line; bold text needs more than 1."""
LONG_TABLE = 20
"""Number of lines above which a table may continue on the next page."""
PREAMBLE = "\n".join(
    (
        r"\ifdefined\DeclareUnicodeCharacter",
        r"\DeclareUnicodeCharacter{2212}{\ensuremath{-}}",
        r"\DeclareUnicodeCharacter{202F}{\,}",
        r"\DeclareUnicodeCharacter{2265}{\ensuremath{\geq}}",
        r"\DeclareUnicodeCharacter{0394}{\ensuremath{\Delta}}",
        r"\DeclareUnicodeCharacter{2295}{\ensuremath{\oplus}}",
        r"\fi",
        # Sphinx before 8.2 has one role for all classes of a node
        *(
            rf"\expandafter\def\csname DUrole{role}\endcsname#1{{\textit{{#1}}}}"
            for role in (SYMBOL_CLASS, f"{SYMBOL_CLASS},{LEANING_CLASS}")
        ),
        rf"\expandafter\def\csname DUrole{UPRIGHT_CLASS}\endcsname#1{{\textup{{#1}}}}",
    )
)
"""Definitions of roles, and of characters that pdfLaTeX lacks: −, ≥, Δ, ⊕, narrow no-break space.

Roles are classes of symbols in italics and of upright words in their subscripts.
"""


def visit_scroll_region(self: Any, node: scroll_region) -> None:
    """Set a table's font size and column widths; a long table may span several pages."""
    table = node.children[0]
    if not isinstance(table, nodes.table):
        return
    self.body.append("\\begingroup\\footnotesize\n")
    self.next_table_colspec = "".join(_column_specs(table))
    if sum(map(_line_count, table.findall(nodes.row))) > LONG_TABLE:
        table["classes"].append("longtable")


def depart_scroll_region(self: Any, node: scroll_region) -> None:
    """End the table's settings."""
    if isinstance(node.children[0], nodes.table):
        self.body.append("\\endgroup\n")


def _column_specs(table: nodes.table) -> Iterator[str]:
    """LaTeX specification of each column.

    In a table that is wider than the page, only columns of text shrink, down to
    :data:`MIN_TEXT_SCALE`; if that isn't enough, all columns do.
    """
    head = next(table.findall(nodes.row))
    needed = [spec["colwidth"] + COLUMN_GAP for spec in table.findall(nodes.colspec)]
    numeric = [NUMBER_CLASS in entry["classes"] for entry in head.findall(nodes.entry)]
    columns = list(zip(needed, numeric, strict=True))
    number_width = sum(width for width, is_number in columns if is_number)
    text_width = sum(needed) - number_width
    if text_width and number_width + MIN_TEXT_SCALE * text_width < PAGE_WIDTH:
        number_scale = 1.0
        text_scale = min(MAX_TEXT_SCALE, (PAGE_WIDTH - number_width) / text_width)
    else:
        number_scale = text_scale = PAGE_WIDTH / sum(needed)
    for width, is_number in columns:
        share = width / PAGE_WIDTH * (number_scale if is_number else text_scale)
        ragged_side = "left" if is_number else "right"  # numbers are right-aligned
        yield rf">{{\ragged{ragged_side}\arraybackslash}}\Y{{{share:.3f}}}"


def _line_count(row: nodes.row) -> int:
    """Number of lines of a row: that of the cell with the most lines."""
    return max(len(entry.children) for entry in row.findall(nodes.entry))


class DivideFigures(SphinxPostTransform):
    """Divide a diagram longer than a page into sheets, each in a figure of its own.

    The first figure has the diagram's caption, the others its title; all have the sheet's number.
    """

    default_priority = 500  # after Sphinx has resolved the links, at 10
    formats = ("latex",)

    @guarded_transform
    def run(self, **kwargs: Any) -> None:
        """Divide every figure that needs it."""
        for figure in list(self.document.findall(nodes.figure)):
            diagram = figure.next_node(pipeline)
            if diagram or figure.next_node(chart):
                # LaTeX would flow text around an aligned picture, which is as wide as the page
                figure.attributes.pop("align", None)
            if diagram:
                index = figure.parent.index(figure) + 1
                with suppress(ConfigError), only_config_errors():  # the visitor will report it
                    figure.parent.insert(index, list(_continuation_figures(figure, diagram)))


def sheet(diagram: pipeline) -> PipelinePicture:
    """The sheet that a diagram's node shows; the whole diagram if it is not divided."""
    return _sheets(diagram)[diagram.get("sheet", 0)]


def _continuation_figures(figure: nodes.figure, diagram: pipeline) -> Iterator[nodes.figure]:
    """Add the sheet's number to the caption, and yield figures for all sheets after the first."""
    from sphinx_llmsize.hosts.sphinx.inlines import paragraph

    last = len(_sheets(diagram))
    if last > 1 and (caption := figure.next_node(nodes.caption)):
        caption += nodes.Text(f" (1/{last})")
    for number in range(1, last):
        next_sheet = diagram.deepcopy()
        next_sheet["sheet"] = number
        text = paragraph((f"{diagram['diagram'].title} ({number + 1}/{last})",))
        yield nodes.figure("", next_sheet, nodes.legend("", text), classes=figure["classes"])


def _sheets(diagram: pipeline) -> tuple[PipelinePicture, ...]:
    """All sheets of a diagram; one if it fits on a page."""
    from sphinx_llmsize.drawing.pagination import sheets

    return sheets(diagram["diagram"])


def _add_definitions(app: Sphinx) -> None:
    """Add :data:`PREAMBLE` to that of the project."""
    if app.builder.name == "latex":
        context = app.builder.context  # type: ignore[attr-defined]
        context["preamble"] = f"{context.get('preamble', '')}\n{PREAMBLE}"


def setup(app: Sphinx) -> None:
    """Register the visitors, the transform and the preamble."""
    app.add_node(
        scroll_region,
        override=True,
        latex=(guarded_visitor(visit_scroll_region), depart_scroll_region),
    )
    app.add_post_transform(DivideFigures)
    connect(app, "builder-inited", _add_definitions)
