"""Copied pages: what a reader has set reads as on the page that the copied directive makes."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from markdown import markdown

from sphinx_llmsize import views
from sphinx_llmsize.hosts.python_markdown import makeExtension

from .conftest import LOOKS
from .visit import served, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
VIEWS = tuple(name for name in views.VIEWS if name in views.TRACEABLE_VIEWS)
OWN = "num_layers: 4\nhidden_dim: 512\nnum_heads: 8\nvocab_size: 1000\n"
SETTINGS: dict[str, tuple[dict[str, int], ...]] = {
    "llama-7b": (
        {"D": 5120, "L": 40}, {"H": 16, "H_kv": 8, "F": 8192}, {"V": 50000, "L": 1},
        {"H": 64, "H_kv": 32},
    ),
    "llama-7b?hidden_dim*2": ({"D": 4096}, {"F": 8192, "L": 12}),
    "llama-7b?num_layers=40&tie_embeddings=true": ({"L": 32}, {"D": 2048, "V": 64000}),
    "gpt2": ({"D": 1536}, {"L": 24, "H": 16}, {"D": 1536, "F": 3072}),
    "mixtral-8x7b": ({"E": 16, "D": 8192}, {"k": 1, "F": 4096}),
    "deepseek-v3": ({"L": 30, "E": 64}, {"D": 4096, "F_e": 1024}),
    "jamba-v0.1": ({"L": 64}, {"E": 8, "D": 2048}),
    "bert-base-uncased": ({"L": 24, "D": 1536}, {"F": 4096}),
    "t5-small": ({"L_enc": 12}, {"L_enc": 12, "L_dec": 6}, {"D": 1024, "F": 4096}),
    "mamba-130m": ({"D": 1024}, {"L": 48, "V": 32000}),
    "gemma-2-2b": ({"D": 3072}, {"H_kv": 2, "L": 30}),
    "gpt-oss-20b": ({"E": 128, "L": 36}, {"D": 4096}),
    "My model": ({"L": 5, "D": 1024},),
}  # fmt: skip
"""Arguments of directives, with values of controls that a reader sets in turn."""
READ = r"""(element) => {
  const lines = [""];
  const read = (node) => {
    if (node.nodeType === Node.TEXT_NODE) lines[lines.length - 1] += node.textContent;
    if (node.nodeType !== Node.ELEMENT_NODE || node.hidden) return;
    if (node.matches("script, style, template, .llmsize-panel, .llmsize-narrow, .llmsize-folded"))
      return;
    if (node.matches("span.llmsize-of-preset, .llmsize-changed .llmsize-of-preset")) return;
    if (node.nodeName === "math") {
      // one formula may have several elements, where its line may break
      lines[lines.length - 1] += node.querySelector("annotation").textContent;
      return;
    }
    if (node.matches(".llmsize-note")) lines[lines.length - 1] += "note ";
    for (const name of ["title", "alt", "aria-label"])
      if (node.getAttribute(name)) lines.push(`${name} ${node.getAttribute(name)}`, "");
    node.childNodes.forEach(read);
    const ends = /^(p|figcaption|caption|td|th|g|desc|title|figure|h\d)$/i;
    if (ends.test(node.nodeName)) lines.push("");
  };
  read(element);
  return lines.map((line) => line.replace(/\s+(·\s+)?/g, "")).filter(Boolean);
}"""
"""Function from an element to its text and that of its attributes, in lines without spaces."""
CHANGED = f"""([k, values]) => {{
  const {{ explorer }} = document.querySelectorAll(".llmsize-explorer")[k];
  explorer.values = values;
  explorer.update();
  return [explorer.source(), explorer.stayed.textContent, ({READ})(explorer.element)];
}}"""
STATIC = f"""() => [...document.querySelectorAll(".llmsize")].map({READ})"""


def page_of(folder: Path, sources: list[str]) -> Path:
    """A page with the output of these directives."""
    folder.mkdir()
    text = "\n\n".join(sources)
    html = markdown(text, extensions=[makeExtension(math="mathml", diagram="svg")])
    head = "<!doctype html><meta charset='utf-8'><link rel='icon' href='data:,'>"
    (folder / "index.html").write_text(head + html, "utf-8")
    return folder


def evaluated(browser: Browser, folder: Path, script: str, *arguments: object) -> list[Any]:
    """Results of a script in a page, for each of the arguments."""
    with served(folder) as address, visit(browser, address, LOOKS[0]) as seen:
        seen.page.goto(f"{address}index.html")
        found = [seen.page.evaluate(script, each) for each in arguments]
        assert seen.problems == []
    return found


def difference(static: list[str], changed: list[str], stayed: str) -> list[str]:
    """Difference of two pages' lines, but for the notes that the changed one has in its panel.

    Only the parameter table has these notes.
    """
    in_panel = [line for line in static if line[:4] == "note" and line[4:] in stayed]
    expected = [line for line in static if line not in in_panel]
    notes = "".join(line[4:] for line in in_panel)
    extra = [] if notes in {stayed, ""} else [notes, stayed]
    return [*extra, *unified_diff(expected, changed, lineterm="", n=0)]


WITHOUT_CAPTION = ("llama-7b", "llama-7b?num_layers=40&tie_embeddings=true", "My model")
"""Models whose title is shown by itself, since no table has it."""


@pytest.mark.parametrize(
    ("shown", "names"),
    [(VIEWS, tuple(SETTINGS)), (("formula",), WITHOUT_CAPTION)],
    ids=["all", "formula"],
)
def test_the_page_reads_like_the_copied_one(
    browser: Browser, tmp_path: Path, shown: tuple[str, ...], names: tuple[str, ...]
) -> None:
    options = f":show: {', '.join(shown)}\n:tokens: 512\n:context: 512\n:dtype: bf16"
    sources = [
        f"```llm-size {name}\n:interactive:\n{options}\n\n{OWN if name == 'My model' else ''}```"
        for name in names
    ]
    chosen = [[k, each] for k, name in enumerate(names) for each in SETTINGS[name]]
    changed = evaluated(browser, page_of(tmp_path / "changed", sources), CHANGED, *chosen)
    copies = [source.replace(":interactive:\n", "") for source, *_others in changed]
    (static,) = evaluated(browser, page_of(tmp_path / "copies", copies), STATIC, None)
    found = {}
    for (source, stayed, lines), expected in zip(changed, static, strict=True):
        if different := difference(expected, lines, "".join(stayed.split())):
            found[source] = different
    report = "\n\n".join("\n".join([source, *lines]) for source, lines in found.items())
    assert not found, report
