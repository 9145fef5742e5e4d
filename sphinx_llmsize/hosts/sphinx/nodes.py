"""Custom nodes and their HTML; builders without visitors for them get standard nodes instead."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinxcontrib.mermaid import mermaid

FORMATS = frozenset({"html", "latex", "text", "man", "texinfo"})
"""Formats of the builders with visitors for these nodes."""
WITHOUT_SCRIPTS = frozenset({"epub", "json", "pickle", "linkcheck"})
"""HTML builders whose pages run no script."""
PAGE_CLASS = "llmsize"
"""Class of the output of every directive."""
DRAWN_CLASS = "llmsize-drawn"
"""Class of text that refers to a drawing, removed where nothing is drawn."""
FORMULA_CLASS = "llmsize-formula"
"""Class of displayed math."""
NUMBER_CLASS = "llmsize-number"
"""Class of cells in columns of numbers."""
SYMBOL_CLASS = "llmsize-symbol"
"""Class of a symbol with its subscript, such as d_h."""
UNSEARCHED_CLASS = "no-search"
"""Class of nodes that recent releases of Sphinx leave out of the search index."""


class share(nodes.paragraph):  # noqa: N801 - docutils names nodes in lower case
    """A number with a bar; the attribute ``percent`` is its share of the whole."""


class scroll_region(nodes.container):  # noqa: N801
    """Container that scrolls, also by keyboard, if its table or picture is too wide."""


class pipeline(nodes.General, nodes.Element):  # noqa: N801
    """A pipeline diagram, ``diagram``, with links from its boxes, ``links``.

    It is the ``number``-th picture of the page ``docname``. Its children describe it in words,
    for builders that do not draw it.
    """

    kind = "diagram"
    """Name of the attribute with the data, and prefix of the names of its templates."""


class mermaid_pipeline(pipeline, mermaid):  # type: ignore[misc]  # noqa: N801
    """A pipeline diagram that Mermaid draws from its source, ``code``."""


class chart(nodes.General, nodes.Element):  # noqa: N801
    """A chart, ``chart``, the ``number``-th picture of the page ``docname``.

    Its children describe it in words, for builders that do not draw it.
    """

    kind = "chart"
    """Name of the attribute with the data, and prefix of the names of its templates."""


class deferred(nodes.container):  # noqa: N801
    """Placeholder for the nodes of ``block``, a table or list; see :mod:`.deferred`."""


class displayed(nodes.math_block):  # noqa: N801
    """Displayed equations or a sum, ``block``; its text is the TeX that other writers display."""


def runs_scripts(builder: Builder, document: nodes.document) -> bool:
    """True if the document is a page whose output runs scripts."""
    # ABlog copies posts for its feeds into documents without a source
    is_page = bool(document.get("source"))
    return is_page and builder.format == "html" and builder.name not in WITHOUT_SCRIPTS


def is_book(builder: Builder) -> bool:
    """True for EPUB, where Sphinx does not declare inline SVG."""
    return bool(builder.name == "epub")


def visit_share_html(self: Any, node: share) -> None:
    """Open a paragraph in which CSS draws a bar."""
    style = f"--llmsize-share: {node['percent']:.2f}%"
    self.body.append(self.starttag(node, "p", "", CLASS="llmsize-share", style=style))


def depart_share_html(self: Any, node: share) -> None:
    """Close the paragraph."""
    self.body.append("</p>\n")


def visit_scroll_region_html(self: Any, node: scroll_region) -> None:
    """Open a labelled, focusable group; not a landmark, since a page may have dozens."""
    attributes = {"role": "group", "tabindex": "0", "aria-label": node["label"]}
    self.body.append(self.starttag(node, "div", CLASS="llmsize-scroll", **attributes))


def depart_scroll_region_html(self: Any, node: scroll_region) -> None:
    """Close the region."""
    self.body.append("</div>\n")


def pass_through(self: Any, node: nodes.Node) -> None:
    """Write the children only."""


def _use_standard_nodes(app: Sphinx, page: nodes.document, docname: str) -> None:
    """Replace our nodes by standard ones, for a builder that has no visitors for ours."""
    if app.builder.format in FORMATS or app.builder.name == "gettext":
        return
    for figure in [*page.findall(nodes.figure)]:
        # other builders require an image in a figure
        if figure.next_node(pipeline) or figure.next_node(chart):
            for caption in [*figure.findall(nodes.caption)]:
                caption.replace_self(nodes.paragraph("", "", *caption.children))
            figure.replace_self(nodes.container("", *figure.children))
    for bar in [*page.findall(share)]:
        bar.replace_self(nodes.paragraph("", "", *bar.children))
    for math in [*page.findall(displayed)]:
        attributes = {key: math[key] for key in ("number", "label", "nowrap", "docname", "classes")}
        math.replace_self(nodes.math_block(math.rawsource, math.astext(), **attributes))
    kinds: tuple[type[nodes.Element], ...] = (scroll_region, pipeline, chart)
    for kind in kinds:
        for node in [*page.findall(kind)]:
            node.replace_self(node.children)


def setup(app: Sphinx) -> None:
    """Register the nodes other than pictures, and the replacement by standard nodes."""
    app.add_node(share, html=(visit_share_html, depart_share_html))
    app.add_node(scroll_region, html=(visit_scroll_region_html, depart_scroll_region_html))
    # after all other handlers, which may look for our nodes
    app.connect("doctree-resolved", _use_standard_nodes, priority=900)
