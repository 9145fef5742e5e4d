"""Blocks whose nodes are made when their page is written, not when it is read.

Most nodes of a page that uses the directive are the cells of tables. Few transforms have anything
to do in them, yet each would walk through them, and the page's pickle would hold them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.hosts.sphinx.nodes import deferred

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class FillBlocks(SphinxPostTransform):
    """Put the nodes of a block where they belong."""

    # after what looks for references, images and code, which a cell has not; before what a
    # builder changes, which is from 500
    default_priority = 450

    def run(self, **kwargs: Any) -> None:
        """Fill in every block."""
        waiting = tuple(self.document.findall(deferred))
        if waiting:
            from sphinx_llmsize.hosts.sphinx.render import content

            for node in waiting:
                node.replace_self(content(node["block"]))


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(FillBlocks)
