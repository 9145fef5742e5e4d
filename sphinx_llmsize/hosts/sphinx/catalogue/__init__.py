"""Catalogues: a page for each of many models, and lists of these pages.

The setting ``llmsize_catalogue`` makes the pages, and the directive ``llm-catalogue`` the lists.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

    from sphinx_llmsize.errors import ConfigError


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
    app.connect("builder-inited", _update_pages)


def _update_pages(app: Sphinx) -> None:
    """Write and remove pages at the start of each build, and warn of errors."""
    from sphinx_llmsize.hosts.sphinx.catalogue import setting
    from sphinx_llmsize.hosts.sphinx.locate import setting_position
    from sphinx_llmsize.hosts.sphinx.problems import warn

    for error in _errors(app):
        position = error.file, (error.line or 0) + 1
        warn(error, position if error.file else setting_position(app.confdir, setting.NAME))


def _errors(app: Sphinx) -> Iterator[ConfigError]:
    from sphinx_llmsize.hosts.sphinx.catalogue import page_files, setting
    from sphinx_llmsize.hosts.sphinx.domain import of

    folders = setting.folders(app.config)
    for folder in page_files.abandoned(app, folders):
        yield from page_files.remove(Path(app.srcdir, folder))
    of(app.env).catalogue_folders = set(folders)
    if folders:
        # imported here, so that projects without a catalogue start faster
        from sphinx_llmsize.hosts.sphinx.catalogue.pages import write_pages

        yield from write_pages(app)
