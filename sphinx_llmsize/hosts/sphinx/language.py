"""The reader's language: our catalogue by Sphinx's own mechanism, and before it the project's.

A project's ``locale_dirs`` may have a catalogue of the same name, whose messages take precedence.
"""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.locale import get_translator, translators
from sphinx.util.i18n import CatalogInfo

import sphinx_llmsize
from sphinx_llmsize import translation

if TYPE_CHECKING:
    from sphinx.application import Sphinx

CATALOGUE = "sphinx_llmsize"
FOLDER = Path(sphinx_llmsize.__file__).parent / "locale"


def version(app: Sphinx) -> str:
    """What tells versions of the project's own catalogue apart."""
    files = [file.po_path for file in _of_project(app)]
    if not files:
        return ""
    from sphinx_llmsize.sources.files import fingerprint

    return " ".join(fingerprint(Path(file)) for file in files)


def _of_project(app: Sphinx) -> Iterator[CatalogInfo]:
    for folder in app.config.locale_dirs:
        within = Path(app.srcdir, folder, app.config.language, "LC_MESSAGES")
        if (within / f"{CATALOGUE}.po").is_file():
            yield CatalogInfo(str(within), CATALOGUE, "utf-8")


def _register(app: Sphinx) -> NullTranslations:
    """The catalogue of the project's language; of a language that has none, English."""
    # this process may have built another project, in another language
    translators.pop(("general", CATALOGUE), None)
    for own in _of_project(app):
        if own.is_outdated():
            own.write_mo(app.config.language)
        app.add_message_catalog(CATALOGUE, Path(own.base_dir).parent.parent)
    app.add_message_catalog(CATALOGUE, FOLDER)
    found = get_translator(CATALOGUE)
    return translation.ENGLISH if type(found) is NullTranslations else found


def setup(app: Sphinx) -> None:
    """Speak the project's language from before pages are read until all is written."""
    catalogue = _register(app)
    app.connect("env-before-read-docs", lambda *_: translation.use(catalogue))
    app.connect("build-finished", lambda *_: translation.use(translation.ENGLISH))
