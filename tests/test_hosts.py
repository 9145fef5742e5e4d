"""The table of hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from sphinx_llmsize import hosts, load
from sphinx_llmsize.blocks import (
    Bar,
    Derivation,
    Document,
    Facts,
    Formula,
    Paragraph,
    Table,
    Variable,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.cli import main
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.hosts.markdown import line
from sphinx_llmsize.views import DEFAULT_VIEWS, VIEWS, document
from sphinx_llmsize.views.view_options import ViewOptions

WITHOUT_BLOCKS = frozenset({"json"})
"""Hosts that show the model's numbers, not its views."""
NUMBER = re.compile(r"\d(?:[\d.,]|\{,\})*")


@pytest.mark.parametrize("name", hosts.HOSTS)
def test_every_host_is_a_format(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = load("gpt2")
    shown = hosts.host(name)(model, lambda: document(model, DEFAULT_VIEWS, ViewOptions()))
    assert str(model.total) in shown.replace(",", "")
    assert main(("show", "gpt2", "--format", name)) == 0
    assert capsys.readouterr().out.strip() == shown.strip()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", [name for name in hosts.HOSTS if name not in WITHOUT_BLOCKS])
def test_every_host_shows_every_view(name: str, view: str) -> None:
    model = load("llama-3-8b")
    blocks = document(model, (view,), ViewOptions())
    shown = readable(hosts.host(name)(model, lambda: blocks))
    assert [text for text in texts(blocks) if readable(text) not in shown] == []


def texts(blocks: Document) -> Iterator[str]:
    """Words and numbers that a reader of any host must find."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield from (str(piece) for piece in block.content if not isinstance(piece, Variable))
        elif isinstance(block, Facts):
            yield from (text for f in block.facts for text in (f.symbol.base, f.value, f.meaning))
        elif isinstance(block, Table):
            lines = (line for row in block.rows for cell in row.cells for line in cell)
            yield from (block.caption, *(column.label for column in block.columns))
            yield from (str(piece) for line in lines for piece in line if isinstance(piece, str))
        elif isinstance(block, Derivation):
            yield from (row.name for row in block.rows)
            results = (text for row in block.rows for text in (row.result, *row.notes))
            yield from (number for text in results for number in NUMBER.findall(text))
        elif isinstance(block, Formula):
            yield from (number for line in block.lines for number in NUMBER.findall("".join(line)))
        elif isinstance(block, Diagram):
            yield from (block.title, *(box.title for box in block.boxes))
        else:
            assert isinstance(block, Chart)
            yield from (block.title, block.description)


def readable(text: str) -> str:
    """Text without markup, entities, escapes and spaces."""
    # numbers in TeX and labels in Mermaid have codes in place of characters
    characters = re.sub(r"&?#(\d+);", lambda code: chr(int(code[1])), unescape(text))
    return re.sub(r"[\s{}\\]", "", characters).replace("−", "-")


@pytest.mark.parametrize(
    ("share", "bar"),
    [(0, "░" * 10), (0.0001, "▏" + "░" * 9), (0.019, "▎" + "░" * 9), (0.319, "███▎" + "░" * 6)],
)
def test_bars_in_markdown(share: float, bar: str) -> None:
    assert line((Bar(share),)) == f" {bar}"


def test_every_module_is_in_the_table() -> None:
    modules = {path.stem for path in Path(hosts.__file__).parent.glob("[!_]*")}
    extensions = {"sphinx", "python_markdown"}
    assert modules == extensions | {*(place.partition(":")[0] for place in hosts.HOSTS.values())}
