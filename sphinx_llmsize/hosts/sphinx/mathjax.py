"""Our terms with MathJax, which looks for math in all text of a page: a model's name is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.hosts.sphinx.assets import PAGE_CLASS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

IGNORE = ("mathjax_ignore", "tex2jax_ignore")
PROCESS = ("mathjax_process", "tex2jax_process")
"""The classes that say so, since MathJax 3 and before."""


class MarkMath(SphinxPostTransform):
    """Have what is math in our output typeset, an author's caption included, and no other text."""

    default_priority = 420  # tables are not filled yet: no math is in them
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Mark every container of ours and the math in it, where MathJax is loaded."""
        always = self.app.registry.html_assets_policy == "always"
        if not always and not any(_math(self.document)):
            return
        for container in self.document.findall(nodes.container):
            if PAGE_CLASS in container["classes"]:
                container["classes"] += IGNORE
                for math in _math(container):
                    math["classes"] += PROCESS


def _math(node: nodes.Element) -> Iterator[nodes.Element]:
    yield from node.findall(nodes.math)
    yield from node.findall(nodes.math_block)


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(MarkMath)
