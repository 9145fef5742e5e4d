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
        references,
        setting,
    )

    for module in (setting, llm_catalogue, references, assets):
        module.setup(app)
    app.connect("builder-inited", _write_pages)


def _write_pages(app: Sphinx) -> None:
    """Write the pages at the start of each build."""
    if app.config.llmsize_catalogue:
        # imported here, so that projects without a catalogue start faster
        from sphinx_llmsize.hosts.sphinx.catalogue.pages import write_pages

        write_pages(app)
