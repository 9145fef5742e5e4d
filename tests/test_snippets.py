"""The snippets of the documentation: one doctree for both markup languages.

``docs/snippets/rst/NAME.rst`` and ``docs/snippets/myst/NAME.md`` have the same contents, so both
must have the doctree in ``tests/snippets/NAME.pseudoxml``. After an intended change, write the
expected files again from the reStructuredText, and read the diff::

    LLMSIZE_REGENERATE=1 python -m pytest tests/test_snippets.py

Three things outside the extension are ignored: attributes of the ``document`` element (the
file's path, MyST's word count), the spelling of true and false, and ``no-wrap``, which newer
releases of Sphinx add to ``nowrap``.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from docutils import nodes
from sphinx.testing.util import SphinxTestApp

from sphinx_llmsize.hosts.sphinx.deferred import replace_placeholder
from sphinx_llmsize.hosts.sphinx.nodes import deferred

if TYPE_CHECKING:
    from _pytest.tmpdir import TempPathFactory

HERE = Path(__file__).parent
SNIPPETS = HERE.parent / "docs" / "snippets"
EXPECTED = HERE / "snippets"
SUFFIXES = {"rst": ".rst", "myst": ".md"}
CONF = 'extensions = ["myst_parser", "sphinx_llmsize"]\nnumfig = True\n'


def names(host: str) -> set[str]:
    return {path.stem for path in (SNIPPETS / host).glob(f"*{SUFFIXES[host]}")}


@pytest.fixture(scope="module", params=list(SUFFIXES))
def doctrees(
    request: pytest.FixtureRequest, tmp_path_factory: TempPathFactory
) -> Iterator[tuple[str, dict[str, str]]]:
    """A markup language, and the doctrees of its snippets, all in one project."""
    host = request.param
    project = tmp_path_factory.mktemp(host)
    (project / "conf.py").write_text(CONF)
    shutil.copytree(SNIPPETS / host, project, dirs_exist_ok=True)
    (project / "snippets").mkdir()
    shutil.copy(SNIPPETS / "config.json", project / "snippets")
    (project / "index.rst").write_text("Index\n=====\n")
    app = SphinxTestApp("dummy", srcdir=project)
    try:
        app.builder.read()  # references are resolved when the documentation is built
        assert app.warning.getvalue() == ""
        yield host, {name: comparable(filled(app.env.get_doctree(name))) for name in names(host)}
    finally:
        app.cleanup()


def filled(doctree: nodes.document) -> nodes.document:
    """The doctree with the contents of deferred nodes."""
    for node in tuple(doctree.findall(deferred)):
        replace_placeholder(node)
    return doctree


def comparable(doctree: nodes.document) -> str:
    """The doctree as text, without the three things that are ignored (see above)."""
    for element in doctree.findall(nodes.Element):
        flags = {
            key: int(value) for key, value in element.attributes.items() if isinstance(value, bool)
        }
        element.attributes.update(flags)
        element.attributes.pop("no-wrap", None)
        element.attributes.pop("block", None)  # the children have its content
        element.attributes.pop("html", None)  # likewise; it has the source in the page's markup
    return "".join(child.pformat() for child in doctree.children)


@pytest.mark.parametrize("name", sorted(names("rst") | names("myst")))
def test_doctree(name: str, doctrees: tuple[str, dict[str, str]]) -> None:
    host, found = doctrees
    file = EXPECTED / f"{name}.pseudoxml"
    if os.environ.get("LLMSIZE_REGENERATE") and host == "rst":
        file.write_text(found[name], "utf-8")
    assert found[name] == file.read_text("utf-8")


def test_every_snippet_is_in_both_languages_and_expected() -> None:
    expected = {path.stem for path in EXPECTED.glob("*.pseudoxml")}
    assert names("rst") == names("myst") == expected
