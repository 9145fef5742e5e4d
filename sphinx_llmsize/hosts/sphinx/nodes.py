"""Nodes of our own, and how each builder shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinxcontrib.mermaid import mermaid

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder

WITHOUT_SCRIPTS = frozenset({"epub", "json", "pickle", "linkcheck"})
"""HTML builders whose pages run no script."""
DRAWN_CLASS = "llmsize-drawn"
"""Of words about what a picture looks like."""
FORMULA_CLASS = "llmsize-formula"
"""Of displayed math of ours."""
NUMBER_CLASS = "llmsize-number"
"""Of cells in columns of numbers."""
SYMBOL_CLASS = "llmsize-symbol"
"""Of letters that stand for sizes, with their index."""
UNSEARCHED_CLASS = "no-search"
"""Of what recent releases of Sphinx keep from the search."""


class share(nodes.paragraph):  # noqa: N801 - nodes are named as docutils names its own
    """A share of the whole: its number, with a bar where there is a visitor for it."""


class scroll_region(nodes.container):  # noqa: N801
    """What may be wider than the page: it scrolls by itself, also from the keyboard."""


class pipeline(nodes.General, nodes.Element):  # noqa: N801
    """A diagram: values in ``diagram``, links in ``links``.

    It is the ``number``-th of the page ``docname``, which the links start from. Where it is not
    drawn, its children tell the same in words.
    """


class mermaid_pipeline(pipeline, mermaid):  # type: ignore[misc]  # noqa: N801
    """A diagram that a script draws from the source in ``code``."""


class chart(nodes.General, nodes.Element):  # noqa: N801
    """A chart: values in ``chart``; it is the ``number``-th of the page ``docname``.

    Where it is not drawn, its children tell it in words.
    """


class deferred(nodes.container):  # noqa: N801
    """Where the nodes of ``block`` will be, once the page is written."""


def runs_scripts(builder: Builder, document: nodes.document) -> bool:
    """Whether scripts run where the builder writes the document."""
    # only a page has a source; ABlog copies posts into a document of no source, for its feeds
    is_page = bool(document.get("source"))
    return is_page and builder.format == "html" and builder.name not in WITHOUT_SCRIPTS


def is_book(builder: Builder) -> bool:
    """Whether it writes a book, in whose pages SVG must be declared, as Sphinx does not."""
    return bool(builder.name == "epub")


def visit_share_html(self: Any, node: share) -> None:
    """A paragraph that CSS draws a bar in."""
    style = f"--llmsize-share: {node['percent']:.2f}%"
    self.body.append(self.starttag(node, "p", "", CLASS="llmsize-share", style=style))


def depart_share_html(self: Any, node: share) -> None:
    """Close the paragraph."""
    self.body.append("</p>\n")


def visit_scroll_region_html(self: Any, node: scroll_region) -> None:
    """What takes the focus has a name; it is no landmark, since a page may have dozens."""
    attributes = {"role": "group", "tabindex": "0", "aria-label": node["label"]}
    self.body.append(self.starttag(node, "div", CLASS="llmsize-scroll", **attributes))


def depart_scroll_region_html(self: Any, node: scroll_region) -> None:
    """Close the region."""
    self.body.append("</div>\n")


def pass_through(self: Any, node: nodes.Node) -> None:
    """Show the children only."""


def setup(app: Sphinx) -> None:
    """Register those that are not pictures with every builder's writer."""
    app.add_node(share, html=(visit_share_html, depart_share_html))
    app.add_node(scroll_region, html=(visit_scroll_region_html, depart_scroll_region_html))
