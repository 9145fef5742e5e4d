"""Catalogues: a page for each of many models, and lists of these pages.

The setting ``llmsize_catalogue`` makes the pages, and the directive ``llm-catalogue`` the lists.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_llmsize.hosts.sphinx.guards import connect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

    from sphinx_llmsize.errors import ConfigError


def setup(app: Sphinx) -> None:
    """Set up the pages, the directive and its assets."""
    from sphinx_llmsize.hosts.sphinx.catalogue import (
        catalogue_assets,
        llm_catalogue,
        references,
        setting,
    )

    for module in (setting, llm_catalogue, references, catalogue_assets):
        module.setup(app)
    connect(app, "builder-inited", _update_pages)


def _update_pages(app: Sphinx) -> None:
    """Write and remove pages at the start of each build, and warn of errors."""
    from sphinx_llmsize.hosts.sphinx.catalogue import setting
    from sphinx_llmsize.hosts.sphinx.locate import setting_location
    from sphinx_llmsize.hosts.sphinx.problems import warn

    for error in _remove_and_write(app):
        if error.file:
            warn(error, (error.file, (error.line or 0) + 1))
        else:
            # the same fault may concern every page
            warn(error, setting_location(app.confdir, setting.NAME), once=True)


def _remove_and_write(app: Sphinx) -> Iterator[ConfigError]:
    """Remove the pages of folders no longer in the setting, write the others, and yield errors."""
    from sphinx_llmsize.hosts.sphinx.catalogue import page_files, setting
    from sphinx_llmsize.hosts.sphinx.domain import llmsize_domain

    folders = setting.folders(app.config)
    for folder in page_files.abandoned_folders(app, folders):
        yield from page_files.remove_pages(Path(app.srcdir, folder))
    llmsize_domain(app.env).catalogue_folders = set(folders)
    if folders:
        # imported here, so that projects without a catalogue start faster
        from sphinx_llmsize.hosts.sphinx.catalogue.pages import write_pages

        yield from write_pages(app)
