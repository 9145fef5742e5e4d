"""Nodes for parts of a page that readers unfold, and for parts with a filter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

FILTERED = "reference-filtered"
"""Class of a container to which ``filter.js`` adds a search field."""


class foldable(nodes.General, nodes.Element):  # noqa: N801
    """``<details>``: a summary, then the content. ``open`` unfolds it from the start."""


class summary(nodes.General, nodes.TextElement):  # noqa: N801
    """``<summary>``: the line that stays visible."""


def fold(title: str, note: str, *content: nodes.Node, open: bool = False) -> foldable:
    """A folded part, named by a title, a muted note, or both."""
    line = summary()
    line += [nodes.strong(title, title), nodes.Text(" ")] if title else []
    line += nodes.inline(note, note, classes=["reference-note"])
    return foldable("", line, *content, open=open)


def filtered(*content: nodes.Node) -> nodes.container:
    """Folded parts with tables, and a search field for their rows."""
    return nodes.container("", *content, classes=[FILTERED])


def _visit_folded(self: Any, node: foldable) -> None:
    attributes = {"open": "open"} if node["open"] else {}
    self.body.append(self.starttag(node, "details", CLASS="reference-folded", **attributes))


def _depart_folded(self: Any, node: foldable) -> None:
    self.body.append("</details>\n")


def _visit_summary(self: Any, node: summary) -> None:
    self.body.append(self.starttag(node, "summary", ""))


def _depart_summary(self: Any, node: summary) -> None:
    self.body.append("</summary>\n")


def _nothing(self: Any, node: nodes.Element) -> None:
    """Other builders show the content."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the nodes."""
    shown = dict.fromkeys(("latex", "text", "man", "texinfo"), (_nothing, _nothing))
    app.add_node(foldable, html=(_visit_folded, _depart_folded), **shown)
    app.add_node(summary, html=(_visit_summary, _depart_summary), **shown)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
