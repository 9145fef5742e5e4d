"""Builds of several processes: the same pages, and what many pages need is done once."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from docutils.utils import new_document
from project import NOT_IN_TOCTREE, Project, write_conf
from sphinx.testing.util import SphinxTestApp
from sphinx.writers.html5 import HTML5Translator
from test_builders import MISTAKE, USES, sphinx

from sphinx_llmsize import load
from sphinx_llmsize.hosts.sphinx.ahead import FIRST_SHOWN
from sphinx_llmsize.hosts.sphinx.deferred import WRITTEN
from sphinx_llmsize.hosts.sphinx.nodes import chart, deferred
from sphinx_llmsize.hosts.sphinx.shared import Documents
from sphinx_llmsize.views import document
from sphinx_llmsize.views.view_options import ViewOptions

Built = Callable[..., Project]
OWN_TEMPLATE = "own/llmsize/diagram.svg.jinja"
USE = ".. llm-size:: {}\n   :show: formula, table, diagram, composition\n"
MINE = "\n   {hidden_dim: 64, num_layers: 2, num_heads: 4, vocab_size: 99}\n"
SHARED = [USE.format("gpt2"), *6 * [USE.format("llama-7b")], *6 * [USE.format("mine") + MINE]]
"""Pages of which all but one show what another shows."""


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Built]:
    """A function that builds pages in some processes; ``heard`` is called for each page."""
    apps: list[SphinxTestApp] = []

    def run(
        texts: list[str], jobs: int, heard: Any = None, translator: Any = None, **settings: Any
    ) -> Project:
        folder = tmp_path / f"project{len(apps)}"
        folder.mkdir()
        write_conf(folder, templates_path=["../own"], **settings)
        for name, text in zip(("index", *"abcdefghijkl"), texts, strict=False):
            page = f":orphan:\n\nTitle\n=====\n\n{text}\n"
            (folder / f"{name}.rst").write_text(page, "utf-8")
        apps.append(SphinxTestApp(srcdir=folder, parallel=jobs))
        if heard:
            apps[-1].connect("doctree-resolved", heard)
        if translator:
            apps[-1].set_translator("html", translator)
        apps[-1].build()
        return Project(apps[-1])

    yield run
    for app in apps:
        app.cleanup()


def test_builds_in_parallel(tmp_path: Path) -> None:
    write_conf(tmp_path, suppress_warnings=["toc.not_included"])
    for name, text in USES.items():
        (tmp_path / name).write_text(text, "utf-8")
    for number in range(6):
        page = f"Page\n====\n\n.. llm-size:: gpt2\n   :links: qkv: other\n   :class: c{number}\n"
        (tmp_path / f"page{number}.rst").write_text(page, "utf-8")
    (tmp_path / "mistake.rst").write_text(MISTAKE["index.rst"], "utf-8")
    done = sphinx(tmp_path, "-j", "2", "--no-color")
    assert done.returncode == 0
    assert NOT_IN_TOCTREE.sub("", done.stderr).split("\n") == [
        f"{tmp_path}/mistake.rst:4: WARNING: unknown model 'llama-7' (did you mean 'llama-7b'?)"
        " [llmsize.model]",
        "",
    ]


def told(folder: Path, listeners: str, text: str, *, pages: int) -> list[str]:
    """What listeners print while two processes build pages of the same text."""
    write_conf(folder)
    with (folder / "conf.py").open("a") as conf:
        conf.write(listeners)
    for name in ("index", *(f"page{number}" for number in range(1, pages))):
        (folder / f"{name}.rst").write_text(f":orphan:\n\nPage\n====\n\n{text}\n")
    done = sphinx(folder, "-j", "2", "-q")
    assert done.stderr == ""
    return done.stdout.splitlines()


TELL_IMPORTED = """
import sys
def setup(app):
    app.connect("env-updated", lambda app, env: print("sympy" in sys.modules))
"""


@pytest.mark.parametrize(
    ("text", "imported"), [(".. llm-size:: gpt2", True), ("A :llm-size:`gpt2`.", False)]
)
def test_what_pages_need_is_imported_before_they_are_divided(
    text: str, *, imported: bool, tmp_path: Path
) -> None:
    assert told(tmp_path, TELL_IMPORTED, text, pages=7) == [str(imported)]


def test_what_many_pages_show_is_written_once(built: Built) -> None:
    # Sphinx itself writes the first page here; what other processes write is not seen
    sizes = [f"gpt2{size}" for size in ("", "-medium", "-large", "-xl")]
    different = [USE.format(name) for name in (*sizes, "llama-7b", "llama-13b", "llama-30b")]
    for texts, models, shared in ((different, 1, 0), (SHARED, 2, 2)):
        builder = built(texts, 2).app.builder
        # each model has a list of facts and two tables
        assert len(getattr(builder, WRITTEN)) == 3 * models
        # besides a diagram and a chart
        assert list(getattr(builder, FIRST_SHOWN).values()).count(None) == 5 * shared


def test_what_one_process_counted_later_ones_find() -> None:
    one, two, three = (Documents() for _ in range(3))
    gpt2, llama = ((load(name), ("table",), ViewOptions()) for name in ("gpt2", "llama-7b"))
    one.keep(gpt2, document(*gpt2))
    two.take(pickle.loads(pickle.dumps(one)))
    assert two.find(gpt2) == document(*gpt2)
    two.keep(llama, document(*llama))
    # who has the first one already is not sent it again
    three.take(pickle.loads(pickle.dumps(two)))
    assert three.find(gpt2) is None
    assert three.find(llama) == document(*llama)


TELL_SHARED = """
from sphinx_llmsize.hosts.sphinx.shared import DOCUMENTS
def merged(app, env, pages, other):
    print(len(other.__dict__[DOCUMENTS]._counted), len(env.__dict__[DOCUMENTS]._taken))
def setup(app):
    app.connect("env-merge-info", merged, priority=900)
    app.connect("env-updated", lambda app, env: print(DOCUMENTS in env.__dict__), priority=900)
"""


def test_what_many_pages_show_is_counted_by_few_processes(tmp_path: Path) -> None:
    *groups, left = told(tmp_path, TELL_SHARED, SHARED[1], pages=41)
    # a group that was begun when another had come to its end found the model counted
    assert groups[0] == "1 1"
    assert "0 1" in groups
    assert left == "False"


def test_documents_that_are_no_pages(built: Built) -> None:
    """Another extension may resolve what has no source, as ABlog does for its feeds."""
    app = built(SHARED, 2).app
    shown_once = app.env.get_doctree("index").next_node(chart)
    assert shown_once
    document = new_document("")
    del document["source"]
    document += shown_once
    app.emit("doctree-resolved", document, "feed")
    assert getattr(app.builder, FIRST_SHOWN)[hash(shown_once.held)] is None


class Careful(HTML5Translator):
    """It knows only where a document begins what it needs further down."""

    def visit_document(self, node: nodes.document) -> None:
        """Remember it."""
        self.of_page = "of a page"

    def visit_table(self, node: nodes.table) -> None:
        """Write what was remembered."""
        self.body.append(f"<!-- {self.of_page} -->")
        super().visit_table(node)


def test_a_translator_of_ones_own(built: Built) -> None:
    project = built(SHARED, 2, translator=Careful)
    assert project.output("index.html").count("<!-- of a page -->") == 2


def test_pages_are_the_same(built: Built) -> None:
    alone, together = built(SHARED, 1), built(SHARED, 2)
    assert not hasattr(alone.app.builder, FIRST_SHOWN)
    for page in Path(alone.app.outdir).glob("*.html"):
        assert page.read_bytes() == Path(together.app.outdir, page.name).read_bytes()


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_cannot_be_written_is_said_once(jobs: int, built: Built, tmp_path: Path) -> None:
    template = tmp_path / OWN_TEMPLATE
    template.parent.mkdir(parents=True)
    template.write_text("{{ nothing.there }}")
    project = built(SHARED, jobs, llmsize_diagram="svg")
    assert {warned.type for warned in project.warned} == {"llmsize.template"}
    assert len(project.warned) == len(SHARED)


@pytest.mark.parametrize("jobs", [1, 2])
def test_garbage_is_looked_for_again_afterwards(jobs: int, built: Built) -> None:
    kept: set[bool] = set()
    built(SHARED, jobs, lambda *_: kept.add(gc.get_freeze_count() > 0))
    assert kept == {jobs > 1}
    assert gc.get_freeze_count() == 0


TELL_KEPT = """
import gc, os
def tell(*_):
    print(os.getpid(), gc.get_freeze_count(), flush=True)
def setup(app):
    app.connect("doctree-resolved", tell)
    app.connect("html-page-context", tell)
"""


def test_what_a_process_inherits_it_keeps(tmp_path: Path) -> None:
    """Pages that wait to be written are not looked through by the process that writes them."""
    kept: dict[str, set[int]] = {}
    for process, count in map(str.split, told(tmp_path, TELL_KEPT, SHARED[1], pages=10)):
        kept.setdefault(process, set()).add(int(count))
    (first, *_), *others = kept.values()
    assert others
    assert all(count > first for counts in others for count in counts)


def test_what_many_pages_hold_is_read_once() -> None:
    _facts, table, *_ = document(load("gpt2"), ("table",), ViewOptions())
    pages = [pickle.dumps([deferred("", classes=["c"], block=table)]) for _ in range(2)]
    (one,), (two,) = map(pickle.loads, pages)
    assert one["block"] == table
    assert one["block"] is two["block"]
    assert one["classes"] == ["c"]
