"""Internal errors: an exception of our own code is a warning at its line, in every host."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from markdown import markdown
from project import Build, Project, write_conf
from sphinx.testing.util import SphinxTestApp

from sphinx_llmsize import load
from sphinx_llmsize.cli import main
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.hosts.mystmd.answers import answer
from sphinx_llmsize.hosts.python_markdown import makeExtension
from sphinx_llmsize.hosts.sphinx import (
    deferred,
    diagram_description,
    domain,
    interactive,
    latex_layout,
    model_objects,
    page_assets,
    picture_visitors,
    pictures,
    render,
    role,
    table_nodes,
    text_builders,
    unread_markup,
)
from sphinx_llmsize.hosts.sphinx.catalogue import page_files, pages
from sphinx_llmsize.hosts.sphinx.catalogue.catalogue_page import CataloguePage
from sphinx_llmsize.html import math_elements
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.shared import tex_as_text

FAULT = "internal error: KeyError: 'fault' in test_internal_errors.py, line "


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the number of parameters fail for ``gpt2-xl``."""
    total = Model.total

    def fail(model: Model) -> int:
        if model == load("gpt2-xl"):
            raise KeyError("fault")
        return total.__get__(model)

    monkeypatch.setattr(Model, "total", property(fail))


def raise_fault(*args: Any, **options: Any) -> Any:
    raise KeyError("fault")


DIRECTIVES = {
    "llm-size": ".. llm-size:: gpt2-xl\n",
    "interactive": ".. llm-size:: gpt2-xl\n   :interactive:\n",
    "llm-compare": ".. llm-compare:: gpt2, gpt2-xl\n",
    "llm-diff": ".. llm-diff:: gpt2, gpt2-xl\n",
    "role": ":llm-size:`gpt2-xl:total`\n",
}


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("text", DIRECTIVES.values(), ids=DIRECTIVES)
def test_sphinx(text: str, build: Build) -> None:
    project = build({"index.rst": f"T\n=\n\n{text}\n:llm-size:`gpt2`\n"})
    (warned,) = project.warned
    assert (warned.file, warned.line, warned.type) == ("index.rst", 4, "llmsize.internal")
    assert warned.message.startswith(FAULT)
    assert "124M" in project.output("index.html")


@pytest.mark.parametrize(
    ("builder", "module", "function"),
    [
        ("html", pictures, "draw_svg"),
        ("latex", latex_layout, "_sheets"),
    ],
)
def test_writers_of_sphinx(
    builder: str, module: Any, function: str, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, function, raise_fault)
    files = {"index.rst": "T\n=\n\n.. llm-size:: gpt2\n   :show: table, diagram\n\nThe end.\n"}
    project = build(files, builder)
    assert {each.type for each in project.warned} == {"llmsize.internal"}
    assert {each.line for each in project.warned} == {4}
    suffix = {"html": "html", "latex": "tex"}[builder]
    names = [path.name for path in Path(project.app.outdir).glob(f"*.{suffix}")]
    assert any("The end." in project.output(name) for name in names)


PAGE = """\
T
=

.. llm-size:: gpt2
   :show: table, formula, diagram
   :links: qkv: https://example.org

.. llm-size:: gpt2-medium
   :show: table
   :interactive:

A number :llm-size:`gpt2`.

The end.
"""
SUFFIXES = {
    "html": ".html",
    "latex": ".tex",
    "text": ".txt",
    "man": ".1",
    "texinfo": ".texi",
    "xml": ".xml",
}
IN_WRITERS = {
    "tables and lists": (render, "deferred_content", {"html": {4}, "": {4, 8}}),
    "rows of tables": (table_nodes, "_row", {"html": {4}, "": {4, 8}}),
    "formulas": (math_elements, "display_math", {"html": {4}}),
    "links of boxes": (picture_visitors, "box_urls", {"html": {6}}),
    "explorer": (interactive, "_html_with_urls", {"html": {8}}),
    "columns": (latex_layout, "_column_specs", {"latex": {4, 8}}),
    "links in LaTeX": (picture_visitors, "_written_link", {"latex": {6}}),
    "tables as text": (text_builders, "_text_table", {"text": {4, 8}}),
    "formulas as text": (
        tex_as_text,
        "plain_lines",
        {"text": {4}, "man": {4}, "texinfo": {4}},
    ),
    "description": (diagram_description, "description", {"": {6}}),
}
"""Functions that fail, with the lines of the warnings by builder; those for all others last."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that was read without faults, so that its builds only write."""
    folder = tmp_path_factory.mktemp("writers")
    write_conf(folder, llmsize_diagram="svg", llmsize_math="mathml")
    (folder / "index.rst").write_text(PAGE, "utf-8")
    written_with((), "dummy", folder)
    return folder


def written_with(faults: Iterable[tuple[Any, str]], builder: str, source: Path) -> Project:
    """Write all pages anew while these functions fail."""
    shutil.rmtree(source / "_build" / builder, ignore_errors=True)
    app = SphinxTestApp(builder, srcdir=source)
    with pytest.MonkeyPatch.context() as patch:
        for module, function in faults:
            patch.setattr(module, function, raise_fault)
        app.build(force_all=True)
    app.cleanup()
    return Project(app)


@pytest.mark.parametrize("builder", SUFFIXES)
def test_nodes_that_cannot_be_written(builder: str, source: Path) -> None:
    """A notice is in their place, and the page goes on."""
    unused: list[tuple[Any, str]] = []
    for name, (module, function, by_builder) in IN_WRITERS.items():
        lines = by_builder.get(builder, by_builder.get("", set()))
        if not lines:
            unused.append((module, function))
            continue
        project = written_with([(module, function)], builder, source)
        assert {(each.file, each.line) for each in project.warned} == {
            ("index.rst", line) for line in lines
        }, name
        assert {each.type for each in project.warned} == {"llmsize.internal"}
        assert "internal error" in page_of(project, builder), name
    assert unused
    project = written_with(unused, builder, source)
    assert project.warned == []
    assert "internal error" not in page_of(project, builder)


def page_of(project: Project, builder: str) -> str:
    """The page, to its end."""
    files = Path(project.app.outdir).rglob(f"*{SUFFIXES[builder]}")
    (text,) = (text for file in files if "The end." in (text := file.read_text("utf-8")))
    return text


@pytest.mark.parametrize(
    ("module", "function"),
    [
        (deferred, "_search_words"),
        (page_assets, "_outputs"),
        (role, "_join_texts"),
        (unread_markup, "_find_role"),
    ],
)
def test_handlers_and_transforms_of_a_page(
    module: Any, function: str, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A warning on the page, which is written without their changes."""
    monkeypatch.setattr(module, function, raise_fault)
    project = build({"index.rst": PAGE})
    assert {each.type for each in project.warned} == {"llmsize.internal"}
    assert {each.file.rstrip(":") for each in project.warned} == {"index.rst"}
    assert "The end." in project.output("index.html")


def test_handlers_of_the_whole_build(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = ((domain.LlmSizeDomain, "outdated_pages"), (page_files, "remove_pages"))
    for module, function in faults:
        with monkeypatch.context() as patch:
            patch.setattr(module, function, raise_fault)
            project = build({"index.rst": PAGE}, llmsize_catalogue={"models": ["gpt2"]})
        assert project.log.count(FAULT) == 1
        assert "The end." in project.output("index.html")


def test_references(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_objects.ModelDomain, "outputs_of", raise_fault)
    project = build({"index.rst": f"{PAGE}\n:llm:model:`gpt2`\n"})
    (warned,) = project.warned
    assert (warned.file, warned.line, warned.type) == ("index.rst", 16, "llmsize.internal")


@pytest.mark.parametrize(
    ("module", "function"), [(pages, "predecessor"), (CataloguePage, "_relatives")]
)
def test_catalogues(
    module: Any, function: str, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page has a notice in place of what can't be made; one warning is enough for all pages."""
    monkeypatch.setattr(module, function, raise_fault)
    files = {"index.rst": "T\n=\n\n.. llm-catalogue::\n"}
    project = build(files, llmsize_catalogue={"models": ["llama-2-7b", "llama-3-8b"]})
    (warned,) = project.warned
    assert (warned.file, warned.type) == ("conf.py", "llmsize.internal")
    for name in ("llama-2-7b", "llama-3-8b"):
        page = project.output(f"models/{name}.html")
        assert "internal error" in page
        assert "Memory" in page


@pytest.mark.parametrize("has_own", [False, True])
def test_templates(has_own: bool, build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a project's template can be wrong; else it is our own code."""
    monkeypatch.setattr(Diagram, "joints", property(raise_fault))
    files = {"index.rst": "T\n=\n\n.. llm-size:: opt-1.3b\n   :show: diagram\n"}
    if has_own:
        files["_templates/llmsize/diagram.mmd.jinja"] = "{{ diagram.joints }}"
    project = build(files, llmsize_diagram="mermaid", templates_path=["_templates"])
    kinds = {each.type for each in project.warned}
    assert kinds == {"llmsize.template" if has_own else "llmsize.internal"}


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(
    "text",
    [
        "```llm-size gpt2-xl\n```",
        "```llm-compare\ngpt2\ngpt2-xl\n```",
        "```llm-diff gpt2, gpt2-xl\n```",
        "{llm-size}`gpt2-xl:total`",
    ],
)
def test_python_markdown(text: str, caplog: pytest.LogCaptureFixture) -> None:
    shown = markdown(f"A page.\n\n{text}\n\n{{llm-size}}`gpt2`", extensions=[makeExtension()])
    assert "124M" in shown
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith(f"3: {FAULT}")


@pytest.mark.usefixtures("broken")
def test_mystmd() -> None:
    call = {"directive": "llm-size", "argument": "gpt2-xl", "options": {}, "body": ""}
    request = {"folder": ".", "earlier": [call], "call": call, "isWithin": False}
    for answered in (answer(request), answer({**request, "role": "gpt2-xl:total"})):
        assert answered["mistake"]["rule"] == "llmsize.internal"
        assert answered["mistake"]["message"].startswith(FAULT)


@pytest.mark.usefixtures("broken")
def test_update(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "README.md"
    text = "<!-- llm-size: gpt2-xl -->\n<!-- /llm-size -->\n"
    page.write_text(text)
    assert main(("update", str(page))) == 2
    assert FAULT in capsys.readouterr().err
    assert page.read_text() == text
