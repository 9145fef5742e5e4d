"""PDFs made with LaTeX: contents within the margins, and pictures with selectable text."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from project import Build

from sphinx_llmsize import load
from sphinx_llmsize.cli import main
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.views import VIEWS

ALL = ", ".join(VIEWS)
PAGE = f"""\
Title
=====

.. llm-size:: gpt2
   :show: {ALL}
   :caption: Words of mine
   :align: right

.. llm-size:: deepseek-v3
   :show: table, diagram, shapes, composition
   :detail: tensor
   :name: large

.. note::

   .. llm-size:: t5-base
      :show: table, diagram

.. list-table::

   * - one
     - .. llm-size:: house
          :show: table

.. llm-size:: gpt2
   :show: diagram
   :direction: LR
   :links: qkv: https://example.org/?a=1&b=2

.. llm-size:: mamba-130m
   :show: table, diagram

.. llm-diff:: gpt2, opt-125m

.. llm-compare:: gpt2, gpt2-medium, gpt2-large, gpt2-xl, llama-7b, mixtral-8x7b
   :show: table, composition
   :columns: hidden_dim, num_layers, num_heads, num_kv_heads, ffn_dim, vocab_size, total, active

See :numref:`large`.
"""
HOUSE = {"hidden_dim": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 100}
SETTINGS = {
    "project": "Project",
    "author": "Me",
    "version": "1",
    "numfig": True,
    "llmsize_models": {"house": HOUSE},
}
COMMANDS = ("latexmk", "pdftotext")
PDFLATEX = (*COMMANDS, "pdflatex", "fncychap.sty", "pict2e.sty", "tgtermes.sty")
CHINESE_FILES = ("xeCJK.sty", "FreeSerif.otf", "FandolSong-Regular.otf")
MAX_EXTRA_WIDTH = 8
"""Points by which a line may reach into the margin: a few letters are not noticed."""
MAX_EXTRA_HEIGHT = 24
"""Points by which a page may be too high: its last lines are still on the paper."""


def need(*names: str, required: bool = True) -> None:
    """Skip a test if commands or TeX files are missing, unless ``LLMSIZE_REQUIRE_LATEX`` is set."""
    missing = [name for name in names if not is_installed(name)]
    if missing and not (required and os.environ.get("LLMSIZE_REQUIRE_LATEX")):
        pytest.skip(f"not installed: {', '.join(missing)}")


@cache
def is_installed(name: str) -> bool:
    if "." not in name:
        return shutil.which(name) is not None
    command = shutil.which("kpsewhich")
    return bool(command) and not subprocess.run([command, name], check=False).returncode


def make_pdf(folder: Path, engine: str) -> tuple[str, str]:
    """Run LaTeX; return the text of the PDF, and the log."""
    command = ["latexmk", engine, "-interaction=nonstopmode", "project.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:].decode("latin-1")
    text = subprocess.run(
        ["pdftotext", "-layout", "project.pdf", "-"], cwd=folder, capture_output=True, check=True
    )
    return text.stdout.decode(), (folder / "project.log").read_text("latin-1")


def overfull(log: str, box: str) -> float:
    """Points by which the largest box is too wide or high."""
    return max(map(float, re.findall(rf"Overfull \\{box} \(([\d.]+)pt", log)), default=0)


def test_a_pdf_of_every_view(build: Build) -> None:
    need(*PDFLATEX)
    project = build({"index.rst": PAGE}, "latex", nitpicky=True, **SETTINGS)
    assert project.log == ""
    text, log = make_pdf(Path(project.app.outdir), "-pdf")
    assert "Float too large" not in log
    assert overfull(log, "hbox") < MAX_EXTRA_WIDTH
    assert overfull(log, "vbox") < MAX_EXTRA_HEIGHT
    pages = text.split("\f")[:-1]
    assert 12 < len(pages) < 40
    flowing = " ".join(text.split())
    for model in ("gpt2", "deepseek-v3", "t5-base", HOUSE):
        assert thousands(load(model).total) in flowing
    captions = ("Words of mine", "Pipeline of DeepSeek-V3", "Shares of the parameters by component")
    assert [caption for caption in captions if caption not in flowing] == []
    assert re.search(r"See Table \d+\.", flowing)
    # the text in pictures is text in the PDF, up to the last box
    assert any("Logits" in page and "Pipeline of DeepSeek-V3" in page for page in pages)


def test_a_paper_that_includes_the_output_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the packages that the output names, in LaTeX's default encoding."""
    need(*PDFLATEX)
    commands = (
        ("show", "jamba-v0.1", "--show", ALL, "--caption", 'Jamba\'s "small" model'),
        ("show", "mamba-130m", "--show", "diagram"),
        ("diff", "gpt2", "opt-125m"),
        ("compare", "gpt2", "llama-7b"),
    )
    outputs = []
    for command in commands:
        assert main([*command, "--format", "latex"]) == 0
        outputs.append(capsys.readouterr().out)
    _comment, packages = outputs[0].splitlines()[:2]
    parts = (r"\documentclass{article}", packages.removeprefix("%"), r"\begin{document}")
    paper = "\n".join((*parts, *outputs, r"\end{document}"))
    (tmp_path / "project.tex").write_text(paper, "utf-8")
    text, _log = make_pdf(tmp_path, "-pdf")
    assert thousands(load("jamba-v0.1").total) in text


def test_a_pdf_in_german(build: Build) -> None:
    need(*PDFLATEX, "ngermanb.ldf")
    page = f"Titel\n=====\n\n.. llm-size:: llama-3-8b\n   :show: {ALL}\n"
    project = build({"index.rst": page}, "latex", language="de", **SETTINGS)
    assert project.log == ""
    text, log = make_pdf(Path(project.app.outdir), "-pdf")
    assert max(overfull(log, "hbox"), overfull(log, "vbox")) < MAX_EXTRA_WIDTH
    assert {"8.030.261.248", "8,030,261,248"} & set(text.split())
    assert "Schlüssel" in text or "Größe" in text or "größer" in text


def test_a_pdf_in_chinese(build: Build) -> None:
    need(*COMMANDS, "xelatex", *CHINESE_FILES, required=False)
    page = f"标题\n====\n\n.. llm-size:: llama-3-8b\n   :show: {ALL}\n"
    project = build({"index.rst": page}, "latex", language="zh_CN", **SETTINGS)
    assert project.log == ""
    text, log = make_pdf(Path(project.app.outdir), "-xelatex")
    assert "Missing character" not in log
    assert max(overfull(log, "hbox"), overfull(log, "vbox")) < MAX_EXTRA_WIDTH
    assert "8,030,261,248" in text
    assert "注意力" in text
