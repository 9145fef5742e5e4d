"""Custom nodes and their HTML; builders without visitors for them get standard nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinxcontrib.mermaid import mermaid

from sphinx_llmsize.hosts.sphinx.guards import connect
from sphinx_llmsize.html.class_names import (
    FOLDED_CLASS,
    HIDDEN,
    SCROLL_CLASS,
    SHARE_CLASS,
    share_style,
)

Visitor = Callable[[Any, Any], None]
"""Visitor of a writer: gets the translator and the node."""
FORMATS = frozenset({"html", "latex", "text", "man", "texinfo"})
"""Formats of the builders with visitors for these nodes."""
WITHOUT_SCRIPTS = frozenset({"epub", "json", "pickle", "linkcheck"})
"""HTML builders whose pages run no script."""
UNSEARCHED_CLASS = "no-search"
"""Class of nodes that recent releases of Sphinx leave out of the search index."""


class share(nodes.paragraph):  # noqa: N801 - docutils names nodes in lower case
    """A number with a bar; the attribute ``percent`` is its share of the whole."""


class wrong_text(nodes.problematic):  # noqa: N801
    """Text of the page that could not be replaced; ``title`` is the error, shown as a tooltip."""


class number_name(nodes.inline):  # noqa: N801
    """A number in HTML; its name in the role ``llm-size``, the attribute ``name``, is a tooltip."""


class turned_text(nodes.inline):  # noqa: N801
    """A text; in HTML, a table that is turned on a phone has the attribute ``turned`` instead."""


class turned_note(nodes.paragraph):  # noqa: N801
    """A note, with another position in HTML if the table above is turned; see ``style``."""


class folded(nodes.paragraph):  # noqa: N801
    """A line with the text of cells that narrow screens hide; only in HTML."""


class scroll_region(nodes.container):  # noqa: N801
    """Container that scrolls, also by keyboard, if its table or picture is too wide."""


class pipeline(nodes.General, nodes.Element):  # noqa: N801
    """A pipeline diagram, ``diagram``, with links from its boxes, ``links``.

    With a ``width``, HTML has the picture for columns of this width only.
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


class interactive(nodes.container):  # noqa: N801
    """Output that readers can change: its children are the static nodes.

    The attribute ``html`` is the explorer with its controls, ``author_classes`` are the classes of
    the option ``class``.
    """


class deferred(nodes.container):  # noqa: N801
    """Placeholder for the nodes of ``block``, a table or list; see :mod:`.deferred`."""


class display_formula(nodes.math_block):  # noqa: N801
    """Displayed equations, ``block``; the text is the TeX that other writers display."""


class display_sum(display_formula):  # noqa: N801
    """A displayed sum, ``block``."""


def runs_scripts(builder: Builder, document: nodes.document) -> bool:
    """True if the builder writes the document as an HTML page that can run scripts."""
    # ABlog copies posts for its feeds into documents without a source
    is_page = bool(document.get("source"))
    return is_page and builder.format == "html" and builder.name not in WITHOUT_SCRIPTS


def is_book(builder: Builder) -> bool:
    """True for EPUB, where Sphinx does not declare inline SVG."""
    return bool(builder.name == "epub")


def visit_share_html(self: Any, node: share) -> None:
    """Open a paragraph in which CSS draws a bar."""
    style = share_style(node["percent"])
    self.body.append(self.starttag(node, "p", "", CLASS=SHARE_CLASS, style=style))


def depart_paragraph_html(self: Any, node: share | folded | turned_note) -> None:
    """Close the paragraph."""
    self.body.append("</p>\n")


def visit_number_name_html(self: Any, node: number_name) -> None:
    """Open an element with a tooltip."""
    self.body.append(self.starttag(node, "span", "", title=node["name"]))


def visit_turned_text_html(self: Any, node: turned_text) -> None:
    """Open an element in which CSS may show the other text."""
    self.body.append(self.starttag(node, "span", "", **{"data-turned": node["turned"]}))


def visit_turned_note_html(self: Any, node: turned_note) -> None:
    """Open a paragraph that CSS may move."""
    self.body.append(self.starttag(node, "p", "", STYLE=node["style"]))


def depart_span_html(self: Any, node: number_name | turned_text) -> None:
    """Close the element."""
    self.body.append("</span>")


def visit_folded_html(self: Any, node: folded) -> None:
    """Open a paragraph that our style sheet shows on narrow screens only."""
    self.body.append(self.starttag(node, "p", "", CLASS=FOLDED_CLASS, hidden=HIDDEN))


def visit_scroll_region_html(self: Any, node: scroll_region) -> None:
    """Open a labelled, focusable group; not a landmark, since a page may have dozens."""
    attributes = {"role": "group", "tabindex": "0", "aria-label": node["label"]}
    self.body.append(self.starttag(node, "div", CLASS=SCROLL_CLASS, **attributes))


def depart_scroll_region_html(self: Any, node: scroll_region) -> None:
    """Close the region."""
    self.body.append("</div>\n")


def visit_wrong_text_html(self: Any, node: wrong_text) -> None:
    """Open a marked text with the error as its tooltip."""
    self.body.append(self.starttag(node, "span", "", CLASS="problematic", title=node["title"]))


def depart_wrong_text_html(self: Any, node: wrong_text) -> None:
    """Close the text."""
    self.body.append("</span>")


def visit_wrong_text_latex(self: Any, node: wrong_text) -> None:
    """Begin bold text in a red that is darker, and so more legible, than Sphinx's."""
    self.body.append(r"{\color[rgb]{0.7,0,0}\bfseries{}")


def depart_wrong_text_latex(self: Any, node: wrong_text) -> None:
    """End the text."""
    self.body.append("}")


def visit_wrong_text_man(self: Any, node: wrong_text) -> None:
    """Begin bold text; the writer would break the paragraph."""
    self.visit_strong(node)


def depart_wrong_text_man(self: Any, node: wrong_text) -> None:
    """End the text."""
    self.depart_strong(node)


def pass_through(self: Any, node: nodes.Node) -> None:
    """Write the children only."""


STANDARD_NODES: dict[type[nodes.TextElement], type[nodes.TextElement]] = {
    share: nodes.paragraph,
    turned_note: nodes.paragraph,
    turned_text: nodes.inline,
    wrong_text: nodes.strong,
}
"""Nodes of docutils that replace ours where a builder has no visitors for ours."""


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
    for own, standard in STANDARD_NODES.items():
        for text in [*page.findall(own)]:
            text.replace_self(standard("", "", *text.children, classes=text["classes"]))
    for math in [*page.findall(display_formula)]:
        attributes = {key: math[key] for key in ("number", "label", "nowrap", "classes")}
        math.replace_self(nodes.math_block(math.rawsource, math.astext(), **attributes))
    kinds: tuple[type[nodes.Element], ...] = (interactive, scroll_region, pipeline, chart)
    for kind in kinds:
        for node in [*page.findall(kind)]:
            node.replace_self(node.children)


def setup(app: Sphinx) -> None:
    """Register the nodes other than pictures, and the replacement by standard nodes."""
    app.add_node(share, html=(visit_share_html, depart_paragraph_html))
    app.add_node(number_name, html=(visit_number_name_html, depart_span_html))
    app.add_node(turned_text, html=(visit_turned_text_html, depart_span_html))
    app.add_node(turned_note, html=(visit_turned_note_html, depart_paragraph_html))
    app.add_node(folded, html=(visit_folded_html, depart_paragraph_html))
    app.add_node(scroll_region, html=(visit_scroll_region_html, depart_scroll_region_html))
    app.add_node(
        wrong_text,
        html=(visit_wrong_text_html, depart_wrong_text_html),
        latex=(visit_wrong_text_latex, depart_wrong_text_latex),
        man=(visit_wrong_text_man, depart_wrong_text_man),
    )
    # after all other handlers, which may look for our nodes
    connect(app, "doctree-resolved", _use_standard_nodes, priority=900)
