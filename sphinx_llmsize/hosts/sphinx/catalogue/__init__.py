"""Catalogues: a page for each of many models, and lists of these pages.

The setting ``llmsize_catalogue`` makes the pages, and the directive ``llm-catalogue`` the lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    """Set up the pages, the directive and its assets."""
    from sphinx_llmsize.hosts.sphinx.catalogue import (
        assets,
        llm_catalogue,
        pages,
        references,
        setting,
    )

    for module in (setting, pages, llm_catalogue, references, assets):
        module.setup(app)
