"""The table of hosts."""

from __future__ import annotations

from pathlib import Path

import pytest

from sphinx_llmsize import hosts, load
from sphinx_llmsize.blocks import Bar
from sphinx_llmsize.cli import main
from sphinx_llmsize.hosts.markdown import line
from sphinx_llmsize.views import DEFAULT_VIEWS, document
from sphinx_llmsize.views.view_options import ViewOptions


@pytest.mark.parametrize("name", hosts.HOSTS)
def test_every_host_is_a_format(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = load("gpt2")
    shown = hosts.host(name)(model, lambda: document(model, DEFAULT_VIEWS, ViewOptions()))
    assert str(model.total) in shown.replace(",", "")
    assert main(("show", "gpt2", "--format", name)) == 0
    assert capsys.readouterr().out.strip() == shown.strip()


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
