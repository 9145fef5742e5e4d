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

WRITTEN = "llmsize_written"
"""The attribute of a builder with the HTML of blocks."""
MOST_WRITTEN = 512
"""How many are kept, some 20 kB each."""


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


def visit(self: Any, node: deferred) -> None:
    """Write what belongs here."""
    fill(node).walkabout(self)
    raise nodes.SkipNode


def visit_html(self: Any, node: deferred) -> None:
    """Write what belongs here; what many pages have is written once, as no page is told in it."""
    written = self.builder.__dict__.setdefault(WRITTEN, {})
    # a list is more compact within a compact one
    compact = [getattr(self, name, None) for name in ("compact_simple", "compact_p")]
    key = (type(self), node["block"], *compact)
    if key not in written:
        start = len(self.body)
        fill(node).walkabout(self)
        if len(written) < MOST_WRITTEN:
            written[key] = "".join(self.body[start:])
    else:
        self.body.append(written[key])
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the transform, and the node with all writers: some page may have many forms."""
    app.add_post_transform(FillBlocks)
    other = (visit, None)
    app.add_node(
        deferred, html=(visit_html, None), latex=other, text=other, man=other, texinfo=other
    )
