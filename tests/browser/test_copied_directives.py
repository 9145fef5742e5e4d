"""Copied directives: the source that a reader copies makes the model that the page shows."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown import markdown
from project import Build

from sphinx_llmsize import Model, load
from sphinx_llmsize.hosts.python_markdown import makeExtension
from sphinx_llmsize.html.standalone_page import page

from .conftest import LOOKS
from .visit import served, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
OWN = """hidden_size: 512
num_layers: 4
num_heads: 8
vocab_size: 1000
model_type: mixtral
num_experts: 8
experts_per_token: 4
"""
MODELS = {
    "My model": OWN,
    "my model?num_layers=6": "",
    "llama-7b?hidden_dim*2": "",
    "LLaMA-2-7B": 'hidden_dim: "*1/2"\nnum_kv_heads: 4\nnum_layers: 3\n',
    "mixtral-8x7b": "num_experts: 4\n",
}
"""Arguments and bodies of directives."""
CHANGES = ({"L": 5, "E": 2}, {}, {"V": 2000}, {"H": 4, "L": 2}, {"E": 1})
"""Values of controls that a reader sets, for each model."""
COPIES = """(changes) => changes.map((values, k) => {
  const { explorer } = document.querySelectorAll(".llmsize-explorer")[k];
  explorer.values = values;
  explorer.update();
  return [explorer.source(), explorer.result.textContent.split(" ")[0]];
})"""


def in_restructured_text() -> str:
    bodies = {name: body.replace("\n", "\n   ") for name, body in MODELS.items()}
    options = "   :show: table\n   :interactive:\n   :name: {}\n\n   "
    return "Title\n=====\n\n" + "".join(
        f".. llm-size:: {name}\n{options.format(f'label-{k}')}{body}\n\n"
        for k, (name, body) in enumerate(bodies.items())
    )


def in_markdown(info: str) -> str:
    return "# Title\n\n" + "".join(
        f"```{info} {name}\n:show: table\n:interactive:\n\n{body}```\n\n"
        for name, body in MODELS.items()
    )


def copies(browser: Browser, folder: Path, path: str = "") -> list[tuple[str, str]]:
    """The copied source and the shown total of each model after its changes."""
    with served(folder) as address, visit(browser, address, LOOKS[0]) as seen:
        seen.page.goto(f"{address}{path}index.html")
        found = seen.page.evaluate(COPIES, CHANGES)
        assert seen.problems == []
    assert len({total for _source, total in found}) == len(MODELS)
    return [(source, total) for source, total in found]


def test_in_sphinx(browser: Browser, build: Build) -> None:
    pages = {"index.rst": in_restructured_text(), "myst/index.md": in_markdown("{llm-size}")}
    first = build(pages, html_theme="alabaster")  # whose scripts all exist
    assert first.log == ""
    folder = Path(first.app.outdir)
    titles = {"rst": "Copy\n====\n\n", "md": "# Copy\n\n"}
    found = {
        f"{suffix}{k}": (f"{titles[suffix]}{source}\n", total)
        for suffix, of_page in (("rst", ""), ("md", "myst/"))
        for k, (source, total) in enumerate(copies(browser, folder, of_page))
    }
    copied = {f"{name}.{name[:-1]}": text for name, (text, _total) in found.items()}
    index = "Title\n=====\n\n.. toctree::\n   :glob:\n\n   *\n"
    # each page has one copy; copies of several changed models have the same name
    second = build({"index.rst": index, **copied}, suppress_warnings=["llmsize.duplicate"])
    assert second.log == ""
    for name, (text, total) in found.items():
        assert total in without_data(second.output(f"{name}.html")), text


def test_in_python_markdown(browser: Browser, tmp_path: Path) -> None:
    html = markdown(in_markdown("llm-size"), extensions=[makeExtension()])
    head = "<!doctype html><meta charset='utf-8'><link rel='icon' href='data:,'>"
    (tmp_path / "index.html").write_text(head + html, "utf-8")
    for source, total in copies(browser, tmp_path):
        copied = markdown(source, extensions=[makeExtension()])
        assert total in without_data(copied), source


def without_data(html: str) -> str:
    """The static views in HTML."""
    return re.sub(r"<script.*?</script>|<template>.*?</template>", "", html, flags=re.DOTALL)


SIZES = {
    "hidden_size": 512,
    "num_layers": 4,
    "num_heads": 8,
    "vocab_size": 1000,
    "num_experts": 8,
    "experts_per_token": 4,
}
PRESETS = ("llama-7b?num_layers=40&tie_embeddings=true", "mixtral-8x7b")
"""Models with a name for ``load`` and the command."""
CHANGES_OF_PRESETS = ({"D": 2048, "L": 33}, {"E": 4})


def copied_from(
    browser: Browser, folder: Path, pages: list[str], changes: Iterable[dict[str, int]]
) -> list[tuple[str, str]]:
    """The copied source and the shown total of pages with one model each."""
    found: list[tuple[str, str]] = []
    with served(folder) as address, visit(browser, address, LOOKS[0]) as seen:
        for html, change in zip(pages, changes, strict=True):
            (folder / "index.html").write_text(html, "utf-8")
            seen.page.goto(f"{address}index.html")
            found += seen.page.evaluate(COPIES, [change])
    return [(source, total) for source, total in found]


def shown_models() -> list[tuple[Model, dict[str, int]]]:
    """Models with the sizes that a reader sets, in turn: presets and an own one, without a name."""
    models = [load(name) for name in PRESETS]
    own = load(dict(SIZES, model_type="mixtral"))
    return [*zip(models, CHANGES_OF_PRESETS, strict=True), (own, {"L": 5, "E": 2})]


def test_in_a_shell(browser: Browser, tmp_path: Path) -> None:
    models = shown_models()
    pages = [page("A model", model.show("table", interactive=True).blocks) for model, _ in models]
    for source, total in copied_from(browser, tmp_path, pages, [each for _model, each in models]):
        command = source.replace("llmsize", f"{sys.executable} -m sphinx_llmsize", 1)
        run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
        assert total in run.stdout, source


def test_a_command_has_the_tokens_of_the_page(browser: Browser, tmp_path: Path) -> None:
    html = page("A model", load("gpt2").show("shapes", "compute", interactive=True).blocks)
    ((source, _total),) = copied_from(browser, tmp_path, [html], [{"D": 1536}])
    assert source == (
        "llmsize show 'gpt2?hidden_dim=1536' --show 'shapes, compute' --tokens 1024 --context 1024"
    )


def test_in_python(browser: Browser, tmp_path: Path) -> None:
    models = shown_models()
    shown = [model.show("table", interactive=True) for model, _changes in models]
    pages = [
        f"<!doctype html><meta charset='utf-8'>{each._repr_mimebundle_()['text/html']}"
        for each in shown
    ]
    for source, total in copied_from(browser, tmp_path, pages, [each for _model, each in models]):
        copied = eval(source, {"load": load})
        assert total in repr(copied), source
