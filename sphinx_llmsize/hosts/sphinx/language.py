"""Translation of messages, with a catalogue of the project's own if it has one.

Messages of a catalogue named ``sphinx_llmsize`` in the project's ``locale_dirs`` take precedence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING, cast

from docutils import nodes
from sphinx.locale import get_translator, translators
from sphinx.util.i18n import CatalogInfo

import sphinx_llmsize
from sphinx_llmsize import translation

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

CATALOGUE = "sphinx_llmsize"
FOLDER = Path(sphinx_llmsize.__file__).parent / "locale"
GENERATED = "llmsize_generated"
"""Key in ``env.temp_data`` of generated nodes, which are not translated."""


def version(app: Sphinx) -> str:
    """Fingerprint of the project's catalogue."""
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
    """The catalogue of the project's language, or English."""
    # this process may have built a project in another language
    translators.pop(("general", CATALOGUE), None)
    for own in _of_project(app):
        if own.is_outdated():
            own.write_mo(app.config.language)
        app.add_message_catalog(CATALOGUE, Path(own.base_dir).parent.parent)
    app.add_message_catalog(CATALOGUE, FOLDER)
    found = get_translator(CATALOGUE)
    return translation.ENGLISH if type(found) is NullTranslations else found


def exclude(env: BuildEnvironment, generated: Iterable[nodes.Node]) -> None:
    """Keep generated nodes of the page being read out of gettext catalogues.

    A translation of text with numbers in it would be lost whenever a number changes.
    """
    env.temp_data[GENERATED] = [*_generated(env), *generated]


def _mark_untranslatable(app: Sphinx, doctree: nodes.document) -> None:
    """Mark excluded nodes for the gettext builder; other doctrees stay as they are."""
    for top in _generated(app.env) if app.builder.name == "gettext" else ():
        for node in top.findall(nodes.Element):
            node["translatable"] = False
            node.attributes.pop("alt", None)  # Sphinx ignores "translatable" for these texts


def _generated(env: BuildEnvironment) -> list[nodes.Node]:
    return cast("list[nodes.Node]", env.temp_data.get(GENERATED, []))


def setup(app: Sphinx) -> None:
    """Use the catalogue from the check of settings to the end of the build."""
    catalogue = _register(app)
    for event in ("config-inited", "env-before-read-docs"):
        app.connect(event, lambda *_: translation.use(catalogue), priority=400)
    app.connect("build-finished", lambda *_: translation.use(translation.ENGLISH))
    app.connect("doctree-read", _mark_untranslatable)
