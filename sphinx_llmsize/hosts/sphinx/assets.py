"""The stylesheet, on the pages that need it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_llmsize.hosts.sphinx.nodes import is_book

if TYPE_CHECKING:
    from sphinx.application import Sphinx

STATIC = Path(__file__).parent / "static"
STATIC_OF_BOOKS = Path(__file__).parent / "books"
"""The same names for readers of books."""
STYLESHEET = "llmsize.css"
PAGE_CLASS = "llmsize"
"""The class of everything that the directive makes."""


def _publish(app: Sphinx) -> None:
    """Have the stylesheet copied with the project's own static files."""
    if app.builder.format == "html":
        folder = STATIC_OF_BOOKS if is_book(app.builder) else STATIC
        app.config.html_static_path.append(str(folder))


def _link(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Link the stylesheet from a page that has output of ours."""
    containers = doctree.findall(nodes.container) if doctree else ()
    if any(PAGE_CLASS in container["classes"] for container in containers):
        app.add_css_file(STYLESHEET)


def setup(app: Sphinx) -> None:
    """Publish and link the stylesheet."""
    app.connect("builder-inited", _publish)
    app.connect("html-page-context", _link)
