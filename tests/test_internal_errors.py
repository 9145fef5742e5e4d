"""Internal errors: an exception of our own code is a warning at its line, in every host."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from markdown import markdown
from project import Build

from sphinx_llmsize import load
from sphinx_llmsize.cli import main
from sphinx_llmsize.hosts.mystmd.answers import answer
from sphinx_llmsize.hosts.python_markdown import makeExtension
from sphinx_llmsize.hosts.sphinx import latex_layout, pictures
from sphinx_llmsize.model import Model

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
