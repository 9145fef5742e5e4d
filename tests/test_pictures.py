"""Pictures in HTML, EPUB and LaTeX, and the programs that draw the diagram."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from docutils.utils import new_document
from every_view import SETTINGS as EVERY_SETTINGS
from every_view import in_cell, pages
from project import Build, Project, small_theme, write_conf
from sphinx.testing.util import SphinxTestApp

SVG = "{http://www.w3.org/2000/svg}"
VIEWS = "table, formula, diagram, shapes, memory, compute, scaling, composition"
USES = {
    "index.rst": ".. _here:\n\nTitle\n=====\n\n.. llm-size:: llama-7b\n   :show: diagram\n"
    "   :links: qkv: https://example.org/?a=1&b=2, lm_head: other\n\n.. toctree::\n\n   other\n",
    "other.rst": "Other\n=====\n\n.. llm-size:: t5-base\n   :show: diagram, composition\n"
    "   :links: lm_head: here\n\n.. llm-size:: llama-7b\n   :show: diagram\n   :direction: LR\n",
}
PLAIN = {"index.rst": f"Title\n=====\n\n.. llm-size:: deepseek-v3\n   :show: {VIEWS}\n"}
SETTINGS = {"project": "Project", "author": "Me", "version": "1", "copyright": "Me"}
WITHOUT_MMDC = {**SETTINGS, "mermaid_cmd": "there-is-no-mmdc"}
LINK = re.compile(r'<a href="([^"]*)">\s*<rect')


def pictures(page: str) -> list[ElementTree.Element]:
    """Inline SVG pictures of a page."""
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg xmlns.*?</svg>", page, re.S)]


def written(project: Project, *suffixes: str) -> str:
    """Contents of all files with these suffixes that a builder wrote."""
    files = sorted(Path(project.app.outdir).rglob("*"))
    return "".join(path.read_text("utf-8") for path in files if path.suffix in suffixes)


def titles(page: str) -> list[str | None]:
    return [drawn[0].text for drawn in pictures(page)]


DRAWN = ["Pipeline of T5 base", "Parameters of T5 base by component", "Pipeline of LLaMA 7B"]


@pytest.mark.parametrize("builder", ["html", "dirhtml", "singlehtml"])
def test_the_build_draws_the_diagram(builder: str, build: Build) -> None:
    project = build(USES, builder, llmsize_diagram="svg", **WITHOUT_MMDC)
    assert project.log == ""
    whole = written(project, ".html")
    assert "mermaid" not in whole
    # the stylesheet shows one of two pictures, unless the wide one fits a narrow column
    twice = [*DRAWN, *DRAWN, DRAWN[2]]
    assert sorted(filter(None, titles(whole))) == sorted(twice)
    ids = re.findall(r'\bid="(llmsize-[^"]+)"', whole)
    assert len(ids) == len(set(ids)) == 2 * len(pictures(whole))


def test_links_of_boxes(build: Build) -> None:
    project = build(USES, llmsize_diagram="svg")
    assert LINK.findall(project.output("index.html")) == [
        "https://example.org/?a=1&amp;b=2",
        "other.html",
    ]
    assert LINK.findall(project.output("other.html")) == ["index.html#here"] * 2  # in two widths
    assert "Side by side" not in project.output("index.html")


def test_a_script_draws_it_and_readers_without_get_svg(build: Build) -> None:
    page = build(USES, **WITHOUT_MMDC).output("index.html")
    without = re.findall(r"<noscript>(.*?)</noscript>", page, re.S)
    assert [titles(each) for each in without] == [["Pipeline of LLaMA 7B"]]
    assert page.count("accTitle") == 1
    # Mermaid draws for one width: a narrow column has our picture
    wide, narrow = page.split('<div class="llmsize-narrow" hidden="until-found">')
    assert "<noscript>" in wide
    assert titles(narrow) == ["Pipeline of LLaMA 7B"]
    assert 'click lm_head href "other.html"' in unescape(page)


def test_an_unknown_setting(build: Build) -> None:
    project = build(USES, llmsize_diagram="png")
    assert [warned.type for warned in project.warned] == ["llmsize.option"]
    assert "accTitle" in project.output("index.html")


def test_a_changed_setting_rereads_pages(build: Build) -> None:
    first = build(USES, llmsize_diagram="mermaid")
    assert "accTitle" in first.output("index.html")
    again = SphinxTestApp(srcdir=Path(first.app.srcdir), confoverrides={"llmsize_diagram": "svg"})
    again.build()
    again.cleanup()
    assert "accTitle" not in first.output("index.html")


@pytest.mark.parametrize("setting", ["mermaid", "svg"])
def test_feeds_have_pictures(setting: str, build: Build) -> None:
    project = build(USES, "json", llmsize_diagram=setting, **WITHOUT_MMDC)
    assert project.log == ""
    body = json.loads(project.output("other.fjson"))["body"]
    assert titles(body) == DRAWN
    assert "accTitle" not in body


def test_the_feed_of_a_blog_has_pictures(build: Build) -> None:
    project = build(USES, "dirhtml", **WITHOUT_MMDC)
    builder = project.app.builder
    post = new_document("")  # ABlog copies the contents of a page into another document
    post.settings = builder.docsettings
    post.extend(project.resolved("other").children)
    feed = builder.create_translator(post, builder)
    post.walkabout(feed)
    assert titles("".join(feed.fragment)) == DRAWN
    assert "accTitle" not in "".join(feed.fragment)


def book(project: Project) -> dict[str, str]:
    (path,) = Path(project.app.outdir).glob("*.epub")
    with zipfile.ZipFile(path) as zipped:
        texts = {".xhtml", ".svg", ".opf", ".css"}
        names = (name for name in zipped.namelist() if Path(name).suffix in texts)
        return {name: zipped.read(name).decode() for name in names}


def test_a_book_has_pictures_in_files(build: Build) -> None:
    project = build(USES, "epub", **WITHOUT_MMDC)
    assert project.log == ""
    files = book(project)
    page = ElementTree.fromstring(files["other.xhtml"])
    shown = [image.attrib for image in page.iter("{http://www.w3.org/1999/xhtml}img")]
    drawn = [ElementTree.fromstring(files[image["src"]]) for image in shown]
    assert [each[0].text for each in drawn] == DRAWN
    assert all(
        image["alt"].endswith(each[1].text or "") for image, each in zip(shown, drawn, strict=True)
    )
    assert all(f'href="{image["src"]}"' in files["content.opf"] for image in shown)
    # an image has no links, so a text with the links follows
    assert 'href="index.xhtml#here"' in files["other.xhtml"]


def test_two_builds_give_pictures_equal_names(build: Build) -> None:
    one, other = (book(build(USES, "epub", **SETTINGS)) for _ in range(2))
    assert {name for name in one if name.endswith(".svg")} == {
        name for name in other if name.endswith(".svg")
    }


@pytest.mark.skipif(not shutil.which("epubcheck"), reason="needs epubcheck")
def test_a_book_is_valid(build: Build) -> None:
    project = build({**pages(), **in_cell("cell.rst")}, "epub", **EVERY_SETTINGS)
    (path,) = Path(project.app.outdir).glob("*.epub")
    command = ["java", "-jar", str(shutil.which("epubcheck")), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "0 errors / 0 warnings" in done.stdout, done.stdout + done.stderr


def test_latex_has_pictures(build: Build) -> None:
    project = build(USES, "latex", **WITHOUT_MMDC)
    assert project.log == ""
    tex = project.output("project.tex")
    assert tex.count(r"\begin{picture}") == len(DRAWN) + 1
    assert r"\sphinxhref{https://example.org/?a=1\&b=2}{QKV projection}" in tex
    assert re.search(r"\\hyperref\[\\detokenize\{other::doc\}\]\{.*LM head", tex)
    assert "mermaid" not in tex


@pytest.mark.parametrize("builder", ["text", "man", "texinfo"])
def test_text_builders_describe_it(builder: str, build: Build) -> None:
    project = build(USES, builder, llmsize_diagram="svg", **WITHOUT_MMDC)
    assert project.log == ""
    whole = written(project, ".txt", ".1", ".texi")
    assert "Added to the input" in whole
    assert "<svg" not in whole


def test_long_tables_continue_on_the_next_page(build: Build) -> None:
    tex = build(PLAIN, "latex", **SETTINGS).output("project.tex")
    end = tex.index("Parameters by component", tex.index("671,026,404,352 parameters"))
    assert tex.rindex(r"\begin{longtable}", 0, end) > tex.rfind(r"\begin{tabulary}", 0, end)


def test_mmdc_draws_it_if_chosen(build: Build, tmp_path: Path) -> None:
    command = tmp_path / "mmdc.py"
    command.write_text("import sys\nopen(sys.argv[sys.argv.index('-o') + 1], 'w').write('drawn')\n")
    settings = {"mermaid_cmd": f"{sys.executable} {command}", "mermaid_output_format": "png"}
    name = 'The "best" <b>'
    page = USES["index.rst"].replace("llama-7b", name)
    own = {name: {"model_type": "gpt2"}}
    project = build({**USES, "index.rst": page}, **{**SETTINGS, **settings, "llmsize_models": own})
    assert project.log == ""
    page = project.output("index.html")
    (image,) = re.findall(r'<img src="(_images/mermaid-[^"]+)" alt="([^"]*)"', page)
    assert project.output(image[0]) == "drawn"
    assert unescape(image[1]).startswith(f"Pipeline of {name}: Token ids, then ")
    assert "<" not in image[1]
    assert "<svg xmlns" not in page


@pytest.mark.parametrize(("language", "jobs"), [("svg", 1), ("png", 2)])
def test_the_build_draws_it_without_mmdc(language: str, jobs: int, tmp_path: Path) -> None:
    settings = {"mermaid_output_format": language, "mermaid_cmd": "there-is-no-mmdc"}
    write_conf(tmp_path, **settings, **small_theme(tmp_path))
    for name in ("index", *"abcdef"):  # Sphinx uses several processes for more than five pages
        page = f":orphan:\n\n{USES['index.rst'].replace('_here', f'_{name}')}"
        (tmp_path / f"{name}.rst").write_text(page)
    (tmp_path / "other.rst").write_text(":orphan:\n\nOther\n=====\n")
    app = SphinxTestApp(srcdir=tmp_path, parallel=jobs)
    try:
        app.build()
    finally:
        app.cleanup()
    project = Project(app)
    (warned,) = project.warned
    assert warned.type == "llmsize.option"
    assert "'there-is-no-mmdc' cannot be run" in warned.message
    assert project.log.count("WARNING") == 1
    assert titles(project.output("a.html")) == DRAWN[2:]
    assert "accTitle" not in project.output("a.html")


def test_the_build_draws_it_if_mmdc_fails(build: Build, tmp_path: Path) -> None:
    command = tmp_path / "mmdc.py"
    command.write_text("raise SystemExit(1)")
    settings = {"mermaid_cmd": f"{sys.executable} {command}", "mermaid_output_format": "svg"}
    project = build(
        {"index.rst": "T\n=\n\n.. llm-size:: llama-7b\n   :show: diagram\n"}, **settings
    )
    assert "Mermaid exited with error" in project.log
    assert titles(project.output("index.html")) == DRAWN[2:]


OWN = "own/llmsize/diagram.svg.jinja"


def test_a_template_of_the_project(build: Build) -> None:
    files = {**USES, OWN: "<p>{{ picture.boxes | length }} boxes, {{ links | length }} links</p>"}
    project = build(files, llmsize_diagram="svg", templates_path=["own"])
    assert "<p>14 boxes, 2 links</p>" in project.output("index.html")
    Path(project.app.srcdir, OWN).write_text("<p>changed</p>")
    project.app.build()
    assert "<p>changed</p>" in project.output("index.html")


def test_a_diagram_is_described_if_its_template_fails(build: Build) -> None:
    files = {"index.rst": USES["other.rst"].replace("here", "index"), OWN: "{{ nothing.there }}"}
    project = build(files, llmsize_diagram="svg", templates_path=["own"])
    assert {warned.type for warned in project.warned} == {"llmsize.template"}
    assert [warned.line for warned in project.warned] == [6, 8]
    assert "<li><p>Final norm (encoder)</p></li>" in project.output("index.html")
