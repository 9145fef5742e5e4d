"""Output of every builder without warnings; scripts, stylesheets and the search index."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from every_view import SETTINGS as EVERY_SETTINGS
from every_view import in_cell, pages
from project import EXTENSIONS, Build, Project, write_conf
from sphinx import version_info
from sphinx.search import SearchLanguage
from sphinx.search.en import SearchEnglish
from sphinx.search.zh import SearchChinese
from sphinx.testing.util import SphinxTestApp

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Facts, Table
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.view_options import ViewOptions

USES = {
    "index.rst": "Title\n=====\n\n.. llm-size:: llama-3-8b\n   :caption: Words of mine\n"
    "   :links: qkv: https://example.org\n\n.. toctree::\n\n   other\n",
    "other.md": "# Other\n\n```{llm-size} mine\nhidden_dim: 64\nnum_layers: 2\nnum_heads: 4\n"
    "vocab_size: 100\n```\n",
}
MISTAKE = {"index.rst": "Title\n=====\n\n.. llm-size:: llama-7\n"}
GROUPS = "Title\n=====\n\n.. llm-size:: gpt2\n   :show: table\n"
SETTINGS = {"project": "Project", "author": "Me", "version": "1", "copyright": "Me"}


def sphinx(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command ``sphinx-build`` on a folder."""
    command = [sys.executable, "-m", "sphinx", *arguments, str(folder), str(folder / "_build")]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def written(project: Project) -> str:
    """Contents of all text files that a builder wrote."""
    files = (path for path in Path(project.app.outdir).rglob("*") if path.suffix in OUTPUT)
    return "".join(path.read_text("utf-8") for path in sorted(files))


OUTPUT = {".1", ".fjson", ".html", ".pseudoxml", ".tex", ".texi", ".txt", ".xhtml", ".xml"}


class Builders:
    """A project to build with one builder after the other; they share the doctrees."""

    def __init__(
        self, folder: Path, pages: dict[str, str], *, jobs: int = 1, **settings: Any
    ) -> None:
        write_conf(folder, **settings)
        for name, text in pages.items():
            (folder / name).write_text(text, "utf-8")
        self.folder = folder
        self.jobs = jobs
        self.built: dict[str, Project] = {}

    def project(self, builder: str) -> Project:
        """The project, built once with each builder."""
        if builder not in self.built:
            # gettext has other doctrees
            output = self.folder / ("gettext" if builder == "gettext" else "built")
            app = SphinxTestApp(builder, srcdir=self.folder, builddir=output, parallel=self.jobs)
            app.build()
            app.cleanup()
            self.built[builder] = Project(app)
        return self.built[builder]


@pytest.fixture(scope="module")
def uses(tmp_path_factory: pytest.TempPathFactory) -> Builders:
    """A few uses of the directive, and a page without any."""
    more = {
        "index.rst": f"{USES['index.rst']}   groups\n",
        "groups.rst": GROUPS,
        "plain.rst": ":orphan:\n\nPlain\n=====\n",
    }
    folder = tmp_path_factory.mktemp("uses")
    settings = {**SETTINGS, "mermaid_cmd": "there-is-no-mmdc", "linkcheck_ignore": [".*"]}
    settings["linkcheck_report_timeouts_as_broken"] = False  # Sphinx 7 warns of its default
    return Builders(folder, {**USES, **more}, jobs=2, **settings)


@pytest.mark.parametrize(
    "builder",
    [
        *("html", "dirhtml", "singlehtml", "text", "man", "latex", "texinfo", "xml", "pseudoxml"),
        *("json", "epub"),
    ],
)
def test_builders(builder: str, uses: Builders) -> None:
    project = uses.project(builder)
    assert project.log == ""
    output = written(project)
    assert "8,030,261,248" in output
    assert "Words of mine" in output
    assert "Output projection" in output.replace("#32;", " ")
    assert "[graph" not in output


@pytest.mark.parametrize("builder", ["pickle", "linkcheck", "changes", "dummy"])
def test_builders_without_text(builder: str, uses: Builders) -> None:
    assert uses.project(builder).log == ""


@pytest.mark.parametrize("builder", ["text", "man", "texinfo"])
def test_text_builders_describe_the_diagram(builder: str, uses: Builders) -> None:
    output = written(uses.project(builder))
    assert "accTitle" not in output
    assert "Logits: [T, V]" in output.replace("\n", " ")


@pytest.mark.parametrize(
    ("builder", "texts"),
    [
        ("text", ["| Attention  ", "|   QKV projection  ", "| LM head  "]),
        (
            "latex",
            [
                r"\sphinxstylestrong{Attention}",
                r"\leftskip1em\relax QKV projection",
                r"\sphinxstylestrong{38,400}",
                "{\\scriptsize 50\xa0×\xa0768\\par}",
            ],
        ),
        ("html", ["<span>1,771,776 ×\xa012\xa0layers</span></p>"]),
        ("epub", ["<span>1,771,776 ×\xa012\xa0layers</span></p>"]),
    ],
)
def test_groups_and_second_lines_without_our_style_sheet(
    builder: str, texts: list[str], uses: Builders
) -> None:
    shown = written(uses.project(builder)).replace("&#160;", "\xa0")
    assert [text for text in texts if text not in shown] == []


@pytest.mark.parametrize("builder", ["epub", "json"])
def test_links_without_scripts(builder: str, uses: Builders) -> None:
    output = written(uses.project(builder))
    assert 'href="https://example.org"' in output.replace("\\", "")


def test_two_builds_write_the_same(build: Build) -> None:
    first, second = (build(USES, **SETTINGS) for _ in range(2))
    for page in ("index.html", "other.html"):
        assert first.output(page) == second.output(page)


@pytest.mark.parametrize(
    ("options", "messages"),
    [
        ("", ["Title"]),
        ("   :caption: Words of *mine*\n", ["Title", "Words of *mine*"]),
        ("   :caption: Words of mine\n   :show: diagram\n", ["Title", "Words of mine"]),
    ],
)
def test_gettext_extracts_only_captions(options: str, messages: list[str], build: Build) -> None:
    page = f"Title\n=====\n\n.. llm-size:: gpt2\n{options}"
    catalogue = build({"index.rst": page}, "gettext").output("index.pot")
    assert re.findall(r'^msgid "(.+)"$', catalogue, re.MULTILINE) == messages


def test_gettext_extracts_nothing_of_templates(build: Build) -> None:
    text = "Text {{ model('gpt2').total | short }}.\n\n   - An item.\n"
    text += "\n   .. image:: x.png\n      :alt: A picture."
    page = f"Title\n=====\n\nMine.\n\n.. llm-template::\n\n   {text}\n"
    settings = {
        "gettext_additional_targets": ["literal-block", "image"],
        "suppress_warnings": ["image"],
    }
    catalogue = build({"index.rst": page}, "gettext", **settings).output("index.pot")
    assert re.findall(r'^msgid "(.+)"$', catalogue, re.MULTILINE) == ["Title", "Mine."]


def test_only_pages_with_output_link_the_stylesheet(uses: Builders) -> None:
    project = uses.project("html")
    pages = ("index.html", "other.html", "plain.html", "genindex.html", "search.html")
    linked = [page for page in pages if "llmsize.css" in project.output(page)]
    assert linked == ["index.html", "other.html"]
    assert "llmsize-" in project.output("_static/llmsize.css")


@pytest.mark.parametrize(
    ("settings", "version"), [({}, "11.16.1"), ({"mermaid_version": "11.12.2"}, "11.12.2")]
)
def test_mermaid_has_a_safe_version(settings: dict[str, str], version: str, build: Build) -> None:
    found = re.findall(r"mermaid@([\d.]+)/", build(USES, **settings).output("index.html"))
    assert set(found) == {version}


def test_only_pages_that_need_scripts_have_them(build: Build) -> None:
    page = "Title\n=====\n\n.. llm-size:: gpt2\n   :show: "
    project = build({"index.rst": f"{page}table\n"})
    assert "mermaid" not in project.output("index.html")
    assert "mathjax" not in project.output("index.html").lower()
    project = build({"index.rst": f"{page}formula\n"})
    assert "mathjax" in project.output("index.html").lower()


@pytest.mark.parametrize("suppressed", ["llmsize", "llmsize.*", "llmsize.model"])
def test_warnings_can_be_suppressed(suppressed: str, build: Build) -> None:
    project = build(MISTAKE, suppress_warnings=[suppressed])
    assert project.log == ""
    assert "unknown model" in project.output("index.html")


def test_warnings_fail_a_strict_build(tmp_path: Path) -> None:
    write_conf(tmp_path)
    (tmp_path / "index.rst").write_text(MISTAKE["index.rst"], "utf-8")
    done = sphinx(tmp_path, "-W", "--keep-going", "--no-color")
    assert done.returncode == 1
    assert f"{tmp_path}/index.rst:4: WARNING: unknown model 'llama-7' (did you" in done.stderr
    assert "Traceback" not in done.stderr
    assert "llmsize-error" in (tmp_path / "_build" / "index.html").read_text("utf-8")


def search_terms(project: Project) -> set[str]:
    """Terms of the search index."""
    index = project.output("searchindex.js")
    return set(json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))["terms"])


def test_the_search_finds_words_of_tables(uses: Builders) -> None:
    assert {"share", "hidden", "embed"} <= search_terms(uses.project("html"))


@pytest.mark.parametrize("language", [SearchEnglish, SearchChinese])
def test_the_search_finds_numbers_in_some_languages(
    language: type[SearchLanguage], build: Build
) -> None:
    terms = search_terms(build({"index.rst": GROUPS}, html_search_language=language.lang))
    assert ("768" in terms) is language({}).word_filter("768")


@pytest.mark.skipif(version_info < (9,), reason="Sphinx searches everything")
def test_the_search_finds_no_tex(uses: Builders) -> None:
    terms = search_terms(uses.project("html"))
    assert not {"underbrac", "underbrace", "mathrm", "text"} & terms


WRITERS = ("html", "epub", "latex", "text", "man", "texinfo", "xml", "gettext", "strict")
"""Builders with a writer of their own, and one that chooses other pictures."""
MARKUP = re.compile(
    r"\\sphinx(?:hyphen|AtStartPar)\b(?:\{\})?|\\u[0-9a-f]{4}|&\w+;|<[^<>]*>|[^A-Za-z0-9]+"
)


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Builders:
    """Pages of every view, every directive and the role, in both languages."""
    settings = {**EVERY_SETTINGS, "extensions": [*EXTENSIONS, "strict_builder"]}
    return Builders(tmp_path_factory.mktemp("views"), pages(), nitpicky=True, **settings)


@pytest.mark.parametrize("builder", WRITERS)
def test_every_view_in_every_builder(builder: str, views: Builders) -> None:
    project = views.project(builder)
    assert project.log == ""
    if builder != "gettext":  # it writes what can be translated
        shown = plain(written(project))
        assert [text for text in texts_of_views() if plain(text) not in shown] == []


def test_a_builder_without_our_visitors_describes_the_diagram(views: Builders) -> None:
    output = written(views.project("strict"))
    assert "Output projection: D × D · 5.7%" in " ".join(output.split()).replace(" :", ":")
    assert "accTitle" not in output


@cache
def texts_of_views() -> list[str]:
    """Captions, facts and the last number of each table, of every view."""
    shown: list[str] = []
    for block in document(load("gpt2"), tuple(VIEWS), ViewOptions()):
        if isinstance(block, Table):
            shown += [piece for piece in block.caption if isinstance(piece, str)]
            shown += ["".join(map(str, line)) for line in block.rows[-1].cells[-1] if line]
        elif isinstance(block, Facts):
            shown += [fact.meaning for fact in block.facts]
        elif isinstance(block, Chart):
            shown.append(block.title)
    return shown


def plain(text: str) -> str:
    """Letters and digits of a text, without markup."""
    return MARKUP.sub("", html.unescape(text.replace("\\n", " ")))


@pytest.fixture(scope="module")
def views_in_a_table(tmp_path_factory: pytest.TempPathFactory) -> Builders:
    """A page with every view in a cell of a table."""
    folder = tmp_path_factory.mktemp("cell")
    return Builders(folder, in_cell(), nitpicky=True, **EVERY_SETTINGS)


@pytest.mark.parametrize("builder", ["html", "text", "man", "texinfo", "latex"])
def test_every_view_in_a_table(builder: str, views_in_a_table: Builders) -> None:
    project = views_in_a_table.project(builder)
    assert project.log == ""
    shown = plain(written(project))
    assert [text for text in texts_of_views() if plain(text) not in shown] == []
