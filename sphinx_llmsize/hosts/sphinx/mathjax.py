"""Our terms with MathJax, which looks for math in all text of a page: a model's name is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from docutils import nodes

from sphinx_llmsize.hosts.sphinx.assets import PAGE_CLASS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

IGNORE = ("mathjax_ignore", "tex2jax_ignore")
PROCESS = ("mathjax_process", "tex2jax_process")
"""The classes that say so, since MathJax 3 and before."""


def _mark(app: Sphinx, page: nodes.document, docname: str) -> None:
    """Have what is math in our output typeset, an author's caption included, and no other text.

    Mark every container of ours and the math in it, where MathJax is loaded.
    """
    always = app.registry.html_assets_policy == "always"
    if app.builder.format != "html" or not (always or any(_math(page))):
        return
    for container in page.findall(nodes.container):
        if PAGE_CLASS in container["classes"]:
            container["classes"] += IGNORE
            for math in _math(container):
                math["classes"] += PROCESS


def _math(node: nodes.Element) -> Iterator[nodes.Element]:
    yield from node.findall(nodes.math)
    yield from node.findall(nodes.math_block)


def setup(app: Sphinx) -> None:
    """Mark it when the page is about to be written."""
    app.connect("doctree-resolved", _mark)
