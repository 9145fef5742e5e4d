"""The stylesheet, on the pages that need it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

STATIC = Path(__file__).parent / "static"
STYLESHEET = "llmsize.css"
PAGE_CLASS = "llmsize"
"""The class of everything that the directive makes."""


def _publish(app: Sphinx) -> None:
    """Have the stylesheet copied with the project's own static files."""
    if app.builder.format == "html":
        app.config.html_static_path.append(str(STATIC))


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
