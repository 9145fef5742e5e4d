"""Script and stylesheet of catalogues, on pages with ``llm-catalogue`` only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from sphinx_llmsize.hosts.sphinx.guards import connect
from sphinx_llmsize.hosts.sphinx.nodes import folded, is_book
from sphinx_llmsize.translation import N_, _

STATIC = Path(__file__).parent / "static"
"""Folder of the script and the stylesheet."""
SCRIPT, STYLESHEET = "llmsize-catalogue.js", "llmsize-catalogue.css"
LIST_CLASS = "llmsize-catalogue"
"""Class of the output of ``llm-catalogue``."""
TEXTS = {
    "filter": N_("Filter by name, Hub id, family, maker or attention"),
    "shown": N_("{n} of {total}"),
    "sort": N_("Sort by {column}"),
}
"""Texts that the script shows, each by the end of the attribute ``data-…`` that contains it."""
ROW_SEPARATOR = "|"
"""Separator of the rows' texts for the filter; docutils leaves no line ends in attributes."""


class filtered(nodes.container):  # noqa: N801 - docutils names nodes in lower case
    """Container of a table that readers can sort and filter.

    Its attribute ``words`` has a text for each row, in which the filter searches.
    """


def _visit_filtered_html(self: Any, node: filtered) -> None:
    """Open an element with the texts of the script, in the language of the project."""
    texts = {
        f"data-{name}": _(text, n="{n}", total="{total}", column="{column}")
        for name, text in TEXTS.items()
    }
    texts["data-words"] = node["words"]
    self.body.append(self.starttag(node, "div", CLASS="llmsize-filtered", **texts))


def _depart_filtered_html(self: Any, node: filtered) -> None:
    """Close the element."""
    self.body.append("</div>\n")


def _copy_files(app: Sphinx) -> None:
    """Add the folder of the files to ``html_static_path``, so that Sphinx copies them."""
    if app.builder.format == "html" and not is_book(app.builder):
        app.config.html_static_path.append(str(STATIC))


def _link_files(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Link the files from pages with a list."""
    if doctree and any(LIST_CLASS in node["classes"] for node in doctree.findall(nodes.container)):
        app.add_css_file(STYLESHEET)
        app.add_js_file(SCRIPT, loading_method="defer")


def _use_plain_tables(app: Sphinx, page: nodes.document, docname: str) -> None:
    """Outside of HTML, replace containers by their tables, without lines for narrow screens."""
    if app.builder.format != "html":
        for container in [*page.findall(filtered)]:
            for line in [*container.findall(folded)]:
                line.parent.remove(line)
            container.replace_self(container.children)


def setup(app: Sphinx) -> None:
    """Register the node and connect the handlers."""
    app.add_node(filtered, html=(_visit_filtered_html, _depart_filtered_html))
    connect(app, "builder-inited", _copy_files)
    connect(app, "html-page-context", _link_files)
    connect(app, "doctree-resolved", _use_plain_tables)
