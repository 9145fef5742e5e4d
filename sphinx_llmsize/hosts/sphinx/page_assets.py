"""Stylesheet of pages with our output, and classes that limit MathJax to its formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from sphinx_llmsize.hosts.sphinx.guards import connect
from sphinx_llmsize.hosts.sphinx.nodes import is_book, runs_scripts
from sphinx_llmsize.hosts.sphinx.settings import needs_no_request
from sphinx_llmsize.html.class_names import ERROR_CLASS, OUTPUT_CLASS
from sphinx_llmsize.html.stylesheet import STATIC, STYLESHEET, style_element

EPUB_STATIC = Path(__file__).parent / "books"
"""Folder with the stylesheet for EPUB, which is simpler and has the same file name."""
MATHJAX_OFF = ("mathjax_ignore", "tex2jax_ignore")
"""Classes that turn MathJax off within an element: for MathJax 3 and later, and for MathJax 2."""
MATHJAX_ON = ("mathjax_process", "tex2jax_process")
"""Classes that turn MathJax on again, for the same releases."""


def _copy_stylesheet(app: Sphinx) -> None:
    """Add the stylesheet's folder to ``html_static_path``, so that Sphinx copies it."""
    if app.builder.format == "html":
        folder = EPUB_STATIC if is_book(app.builder) else STATIC
        app.config.html_static_path.append(str(folder))


def _link_stylesheet(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Link the stylesheet from pages with our output; embed it if pages must load no files."""
    if not (doctree and any(_outputs(doctree))):
        return
    app.add_css_file(STYLESHEET)
    if runs_scripts(app.builder, doctree) and needs_no_request(app.config):
        # themes call css_tag for each stylesheet; themes that write links themselves link ours
        context["css_tag"] = partial(_css_tag, context["css_tag"])


def _css_tag(link: Callable[[Any], str], css: Any) -> str:
    """HTML element for a stylesheet: ours with its text, any other made by ``link``."""
    return style_element() if css.filename == f"_static/{STYLESHEET}" else link(css)


def _limit_mathjax(app: Sphinx, page: nodes.document, docname: str) -> None:
    """Limit MathJax to formulas and math in captions.

    It would otherwise typeset plain text too, such as a model named ``$x$``.
    """
    loads_always = app.registry.html_assets_policy == "always"
    if app.builder.format == "html" and (loads_always or any(_math(page))):
        for container in _outputs(page):
            container["classes"] += MATHJAX_OFF
            for math in _math(container):
                math["classes"] += MATHJAX_ON


def _outputs(page: nodes.document) -> Iterator[nodes.Element]:
    """Elements with the output of directives, with notices, and with marked wrong texts."""
    ours = {OUTPUT_CLASS, ERROR_CLASS}
    return (node for node in page.findall(nodes.Element) if not ours.isdisjoint(node["classes"]))


def _math(node: nodes.Element) -> Iterator[nodes.Element]:
    """Inline and displayed math within a node."""
    yield from node.findall(nodes.math)
    yield from node.findall(nodes.math_block)


def setup(app: Sphinx) -> None:
    """Connect the handlers."""
    connect(app, "builder-inited", _copy_stylesheet)
    connect(app, "html-page-context", _link_stylesheet)
    connect(app, "doctree-resolved", _limit_mathjax)
