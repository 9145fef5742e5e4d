"""The Sphinx host: the directive, its nodes, and what a page needs to show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sphinx_llmsize
from sphinx_llmsize.hosts.sphinx import assets, compare, diagrams, directive, mermaid, nodes, role

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register everything, each piece by its own module."""
    for piece in (mermaid, nodes, directive, compare, role, diagrams, assets):
        piece.setup(app)
    return {
        "version": sphinx_llmsize.__version__,
        "env_version": 1,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
