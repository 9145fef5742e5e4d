"""Builds with several processes: the same pages and the same warnings as with one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from docutils.utils import new_document
from project import Project, small_theme, write_conf
from sphinx.testing.util import SphinxTestApp
from sphinx.writers.html5 import HTML5Translator
from test_builders import MISTAKE, USES

Built = Callable[..., Project]
USE = ".. llm-size:: {}\n   :show: formula, table, diagram, composition\n"
MINE = "\n   {hidden_dim: 64, num_layers: 2, num_heads: 4, vocab_size: 99}\n"
PAGES = [USE.format("gpt2"), *6 * [USE.format("llama-7b")], *6 * [USE.format("mine") + MINE]]


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Built]:
    """A function that builds ``PAGES`` with a number of processes."""
    apps: list[SphinxTestApp] = []

    def run(jobs: int, translator: Any = None, **settings: Any) -> Project:
        folder = tmp_path / f"project{len(apps)}"
        folder.mkdir()
        write_conf(folder, templates_path=["../own"], **settings, **small_theme(folder))
        for name, text in zip(("index", *"abcdefghijkl"), PAGES, strict=True):
            page = f":orphan:\n\nTitle\n=====\n\n{text}\n"
            (folder / f"{name}.rst").write_text(page, "utf-8")
        apps.append(SphinxTestApp(srcdir=folder, parallel=jobs))
        if translator:
            apps[-1].set_translator("html", translator)
        apps[-1].build()
        return Project(apps[-1])

    yield run
    for app in apps:
        app.cleanup()


def test_warnings_of_two_processes(tmp_path: Path) -> None:
    write_conf(tmp_path, suppress_warnings=["toc.not_included"])
    for name, text in USES.items():
        (tmp_path / name).write_text(text, "utf-8")
    for number in range(6):
        page = f"Page\n====\n\n.. llm-size:: gpt2\n   :links: qkv: other\n   :class: c{number}\n"
        (tmp_path / f"page{number}.rst").write_text(page, "utf-8")
    (tmp_path / "mistake.rst").write_text(MISTAKE["index.rst"], "utf-8")
    (tmp_path / "same.rst").write_text(f"Page\n====\n\n{USE.format('mine')}{MINE}", "utf-8")
    app = SphinxTestApp(srcdir=tmp_path, parallel=2)
    app.build()
    app.cleanup()
    assert Project(app).log.splitlines() == [
        f"{tmp_path}/mistake.rst:4: WARNING: unknown model 'llama-7' (did you mean 'llama-7b'?)"
        " [llmsize.model]",
        f"{tmp_path}/same.rst:4: WARNING: other shows another model called 'mine'"
        " (give one of them another name) [llmsize.duplicate]",
    ]


class StatefulTranslator(HTML5Translator):
    """A translator that sets a value at the start of the document, and uses it in tables."""

    def visit_document(self, node: nodes.document) -> None:
        """Set the value."""
        self.of_page = "of a page"

    def visit_table(self, node: nodes.table) -> None:
        """Write the value."""
        self.body.append(f"<!-- {self.of_page} -->")
        super().visit_table(node)


def test_a_translator_with_state(built: Built) -> None:
    project = built(2, StatefulTranslator)
    assert project.output("index.html").count("<!-- of a page -->") == 2


def test_pages_are_the_same(built: Built) -> None:
    alone, together = built(1), built(2)
    pages = list(Path(alone.app.outdir).glob("*.html"))
    assert len(pages) > len(PAGES)
    for page in pages:
        assert page.read_bytes() == Path(together.app.outdir, page.name).read_bytes()


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_page_warns_once_of_a_broken_template(jobs: int, built: Built, tmp_path: Path) -> None:
    template = tmp_path / "own/llmsize/diagram.svg.jinja"
    template.parent.mkdir(parents=True)
    template.write_text("{{ nothing.there }}")
    project = built(jobs, llmsize_diagram="svg")
    assert {warned.type for warned in project.warned} == {"llmsize.template"}
    assert len(project.warned) == len(PAGES)


def test_a_document_without_a_source(built: Built) -> None:
    """Extensions may resolve such a document; ABlog does for its feeds."""
    app = built(1).app
    document = new_document("")
    del document["source"]
    document += app.env.get_doctree("index").children
    app.emit("doctree-resolved", document, "feed")
    assert "GPT-2 small" in document.astext()
