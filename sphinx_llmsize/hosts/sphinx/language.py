"""Translation of messages and generated text.

A project may have its own catalogue ``sphinx_llmsize`` in ``locale_dirs``, which takes precedence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from gettext import NullTranslations
from pathlib import Path
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.locale import get_translator, translators
from sphinx.util.i18n import CatalogInfo

import sphinx_llmsize
from sphinx_llmsize import translation
from sphinx_llmsize.hosts.sphinx.guards import connect
from sphinx_llmsize.hosts.sphinx.number_format import project_separators

CATALOGUE = "sphinx_llmsize"
"""Name of the message catalogues, of this extension and of projects."""
FOLDER = Path(sphinx_llmsize.__file__).parent / "locale"
"""Folder of this extension's catalogues."""
GENERATED_KEY = "llmsize_generated"
"""Key in ``env.temp_data`` of the page's generated nodes, which are not offered for translation."""


def version(app: Sphinx) -> str:
    """Fingerprint of the project's own catalogue, or an empty string if it has none."""
    files = [file.po_path for file in _project_catalogues(app)]
    if not files:
        return ""
    from sphinx_llmsize.sources.files import fingerprint

    return " ".join(fingerprint(Path(file)) for file in files)


def _project_catalogues(app: Sphinx) -> Iterator[CatalogInfo]:
    """The project's own message catalogues for its language."""
    for folder in app.config.locale_dirs:
        messages = Path(app.srcdir, folder, app.config.language, "LC_MESSAGES")
        if (messages / f"{CATALOGUE}.po").is_file():
            yield CatalogInfo(str(messages), CATALOGUE, "utf-8")


def _register(app: Sphinx) -> NullTranslations:
    """Register the catalogues; return that of the project's language, English if there is none."""
    # this process may have cached the catalogue of another project
    translators.pop(("general", CATALOGUE), None)
    for catalogue in _project_catalogues(app):
        if catalogue.is_outdated():
            catalogue.write_mo(app.config.language)
        app.add_message_catalog(CATALOGUE, Path(catalogue.base_dir).parent.parent)
    app.add_message_catalog(CATALOGUE, FOLDER)
    translator = get_translator(CATALOGUE)
    return translation.ENGLISH if type(translator) is NullTranslations else translator


def exclude_from_gettext(env: BuildEnvironment, generated: Iterable[nodes.Node]) -> None:
    """Exclude generated nodes of the page being read from gettext catalogues.

    The translation of a text with numbers would be lost whenever a number changes.
    """
    env.temp_data[GENERATED_KEY] = [*_generated_nodes(env), *generated]


def _mark_untranslatable(app: Sphinx, doctree: nodes.document) -> None:
    """Mark excluded nodes as untranslatable, for the gettext builder only."""
    if app.builder.name != "gettext":
        return
    for generated in _generated_nodes(app.env):
        for node in generated.findall(nodes.Element):
            node["translatable"] = False
            node.attributes.pop("alt", None)  # Sphinx extracts "alt" even if untranslatable


def _generated_nodes(env: BuildEnvironment) -> list[nodes.Node]:
    """Generated nodes of the page being read, so far."""
    return cast("list[nodes.Node]", env.temp_data.get(GENERATED_KEY, []))


def setup(app: Sphinx) -> None:
    """Select the catalogue before settings are checked, and English again after the build."""
    catalogue = _register(app)

    def use_catalogue(*_: object) -> None:
        translation.set_language(catalogue, project_separators(app.config))

    for event in ("config-inited", "env-before-read-docs"):
        connect(app, event, use_catalogue, priority=400)
    connect(app, "build-finished", lambda *_: translation.set_language(translation.ENGLISH))
    connect(app, "doctree-read", _mark_untranslatable)
