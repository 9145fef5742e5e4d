"""Blocks whose nodes are made when their page is written, not when it is read.

Most nodes of a page that uses the directive are the cells of tables. Few transforms have anything
to do in them, yet each would walk through them, and the page's pickle would hold them. In HTML
they are made by the writer, which Sphinx runs in many processes, and until then there are only
their words, which it collects for the search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.hosts.sphinx.nodes import deferred

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class FillBlocks(SphinxPostTransform):
    """Put the nodes of a block where they belong, or its words until HTML is written."""

    # after what looks for references, images and code, which a cell has not; before what a
    # builder changes, which is from 500
    default_priority = 450
    formats = ("html",)  # whose writer fills them

    def apply(self, **kwargs: Any) -> None:
        """Run, whatever the format."""
        self.run(**kwargs)

    def run(self, **kwargs: Any) -> None:
        """Fill in every block."""
        waiting = tuple(self.document.findall(deferred))
        if waiting:
            from sphinx_llmsize.hosts.sphinx.render import words

            for node in waiting:
                if self.is_supported():
                    node.append(nodes.Text(words(node["block"])))
                else:
                    fill(node)


def fill(node: deferred) -> nodes.Element:
    """Have a block's nodes in place of where they belong, and return them."""
    from sphinx_llmsize.hosts.sphinx.render import content

    made = content(node["block"])
    node.replace_self(made)
    return made


def visit_html(self: Any, node: deferred) -> None:
    """Write what belongs here."""
    fill(node).walkabout(self)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the transform, and the node with the writers of HTML."""
    app.add_post_transform(FillBlocks)
    app.add_node(deferred, html=(visit_html, None))
