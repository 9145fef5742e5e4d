"""Styles of table rows in LaTeX: headings, members of groups, second lines."""

from __future__ import annotations

from typing import Any, cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.hosts.sphinx.guards import guarded_transform
from sphinx_llmsize.html.class_names import (
    GROUPED_CLASS,
    MUTED_CLASS,
    NUMBER_CLASS,
    TABLE_CLASS,
    row_class,
)
from sphinx_llmsize.row_kinds import RowKind

INDENT = r"\leftskip1em\relax "
"""Indentation of members."""
SMALL = r"{\scriptsize "
"""Start of a TeX group in small print."""
END_OF_SMALL = r"\par}"
"""End of the TeX group; the paragraph ends within it, so that its line spacing is small too."""


class StyleRows(SphinxPostTransform):
    """Headings and totals in bold, members indented, second lines smaller; no striped rows."""

    default_priority = 500  # after placeholders are replaced, at 450
    formats = ("latex",)

    @guarded_transform
    def run(self, **kwargs: Any) -> None:
        """Style all tables."""
        for table in self.document.findall(nodes.table):
            if TABLE_CLASS in table["classes"]:
                table["classes"].append("nocolorrows")
                for row in next(table.findall(nodes.tbody)).findall(nodes.row):
                    _style_row(row, is_grouped=GROUPED_CLASS in table["classes"])


def _style_row(row: nodes.row, *, is_grouped: bool) -> None:
    """Style a row.

    Args:
        row: the row.
        is_grouped: True if its table has headings of groups, below which members are indented.
    """
    is_member = row_class(RowKind.MEMBER) in row["classes"]
    for position, entry in enumerate(row.findall(nodes.entry)):
        is_bold = not is_member and (position == 0 or NUMBER_CLASS in entry["classes"])
        for paragraph in cast("list[nodes.paragraph]", entry.children):
            if MUTED_CLASS in paragraph["classes"]:
                paragraph.insert(0, _raw(SMALL))
                paragraph.append(_raw(END_OF_SMALL))
            elif is_bold:
                paragraph[:] = [nodes.strong("", "", *paragraph.children)]
        if position == 0 and is_member and is_grouped and entry.children:
            cast("nodes.paragraph", entry[0]).insert(0, _raw(INDENT))


def _raw(tex: str) -> nodes.raw:
    return nodes.raw("", tex, format="latex")


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(StyleRows)
