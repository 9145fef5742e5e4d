"""Models and documents that show themselves in notebooks."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from project import Build

from sphinx_llmsize import ConfigError, UnknownModel, compare, diff, load
from sphinx_llmsize.views import VIEWS

TYPES = ["text/html", "text/markdown", "text/plain"]
CELLS = (
    "from sphinx_llmsize import compare, load\nload('gpt2')",
    "load('gpt2').show('memory', context=512)",
    "compare('gpt2', 'gpt2-xl', columns='total:exact, mlp:share')",
    "load('gpt2').show('memory', contxt=512)",
)


def notebook(path: Path) -> str:
    """Execute a notebook of the cells; return it as JSON."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    cells = [nbformat.v4.new_markdown_cell("# Sizes")]
    cells += [nbformat.v4.new_code_cell(text, id=f"c{i}") for i, text in enumerate(CELLS)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}}
    made = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
    nbclient.NotebookClient(made, timeout=100, allow_errors=True).execute(cwd=str(path))
    return str(nbformat.writes(made))


def test_a_model_shows_itself() -> None:
    bundle = load("gpt2")._repr_mimebundle_()
    assert list(bundle) == TYPES
    for text in bundle.values():
        assert type(text) is str  # marimo shows no subclass of it
        assert "GPT-2 small: 124,439,808 parameters" in text.replace("**", "")


def test_html_needs_nothing_else() -> None:
    html = load("gpt2").show(*VIEWS)._repr_mimebundle_()["text/html"]
    assert "<svg" in html
    assert "<math" in html
    assert "<table" in html
    assert not re.search(r"<script|<link|@import|url\((?![\"']?data:|#)|\bsrc=|\son\w+=", html)
    # the style applies to nothing but our elements
    style = re.search("<style>(.*?)</style>", html, re.DOTALL)
    assert style
    rules = re.findall(r"(?:^|[{}])\s*([^{}@]+?)\s*\{", style[1])
    selectors = [rule for rule in rules if not re.fullmatch(r"(from|to|[\d.]+%|,\s*)+", rule)]
    assert len(selectors) > 50
    assert all("llmsize" in selector for selector in selectors)


def test_marimo_hides_nothing() -> None:
    """Its pages show nothing that is hidden, whatever the stylesheet says."""
    kind, html = load("gpt2").show("composition")._mime_()
    assert (kind, type(html)) == ("text/html", str)
    assert html.count("<svg") == 2  # the stylesheet shows one of them
    assert "hidden=" not in html.partition("</style>")[2]
    assert load("gpt2")._mime_() == load("gpt2").show()._mime_()


def test_ids_of_different_documents_differ() -> None:
    def ids(*views: str) -> set[str]:
        html = load("gpt2").show(*views)._repr_mimebundle_()["text/html"]
        return set(re.findall(r'\bid="([^"]*)"', html))

    assert ids("diagram")
    assert ids("diagram") == ids("diagram")
    assert not ids("diagram") & ids("diagram", "table")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"context": 512}, "T = 512"),
        ({"context": "1,024"}, "T = 1,024"),
        ({"labels": {"qkv": "mine: all three"}, "show": ["table"]}, "mine: all three"),
        ({"show": "table", "columns": ["component", "parameters:short"]}, "124M"),
    ],
)
def test_options(options: dict[str, object], text: str) -> None:
    views = () if "show" in options else ("memory",)
    assert text in repr(load("gpt2").show(*views, **options))


@pytest.mark.parametrize(
    ("views", "options", "message"),
    [
        (("memroy",), {}, "unknown view 'memroy' .did you mean 'memory'"),
        (("memory",), {"contxt": 5}, "unknown option 'contxt' .did you mean 'context'"),
        (("memory",), {"context": "many"}, "'many' is not a number of tokens"),
        (("memory",), {"config": "a.json"}, "unknown option 'config'"),
        ((), {"expect": 5}, "124,439,808 parameters, not 5"),
        (([],), {}, "no views to show"),
        ((), {"show": ()}, "no views to show"),
    ],
)
def test_wrong_options(views: tuple[Any, ...], options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load("gpt2").show(*views, **options)


@pytest.mark.parametrize("value", [None, b"table", object(), ["table", None]])
def test_values_of_wrong_types(value: Any) -> None:
    for option in "show", "caption", "context":
        with pytest.raises(TypeError, match=f"{option} is a text, a number or a list of them"):
            load("gpt2").show(**{option: value})
    with pytest.raises(TypeError, match="show is a text"):
        load("gpt2").show(value)


@pytest.mark.parametrize("function", [compare, diff])
def test_several_names_in_one_text(function: Callable[[str], object]) -> None:
    """The hint is in Python, not in the markup of directives."""
    for text, names in (("gpt2, opt", '"gpt2", "opt"'), ("gpt2 vs gpt2-xl", '"gpt2", "gpt2-xl"')):
        with pytest.raises(UnknownModel, match=rf"put each name in quotes of its own: {names}\)"):
            function(text)


def test_comparison() -> None:
    mine = {"hidden_dim": 8, "num_layers": 1, "num_heads": 1, "vocab_size": 9}
    shown = compare("gpt2", load("gpt2-xl"), mine, sort="-total", columns="total:exact")
    totals = re.findall(r"[\d,]{3,}$", repr(shown), re.MULTILINE)
    assert totals == ["1,557,611,200", "124,439,808", "912"]
    with pytest.raises(ConfigError, match=r"unknown option 'colums' .did you mean 'columns'"):
        compare("gpt2", colums="total")
    with pytest.raises(ConfigError, match="no models to compare"):
        compare()


def test_lists() -> None:
    """Views and models may be in a list."""
    assert repr(load("gpt2").show(["table", "rule"])) == repr(load("gpt2").show("table", "rule"))
    assert repr(compare(["gpt2", "gpt2-xl"])) == repr(compare("gpt2", "gpt2-xl"))
    assert repr(diff(["gpt2", "gpt2-xl"])) == repr(diff("gpt2", "gpt2-xl"))
    with pytest.raises(ConfigError, match="unknown view '3'"):
        load("gpt2").show(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("models", [(), ("gpt2",), ("gpt2", "gpt2-xl", "opt-125m")])
def test_differences_are_of_two_models(models: tuple[str, ...]) -> None:
    message = r'models? (is|are) named \(write two, with a comma between: diff\("llama'
    with pytest.raises(ConfigError, match=message):
        diff(*models)


def test_hostile_names_are_text() -> None:
    name = "</style><script>alert(1)</script>\x1b[31m$x$"
    mine = {"hidden_dim": 8, "num_layers": 1, "num_heads": 1, "vocab_size": 9}
    bundle = load(name, mine)._repr_mimebundle_()
    assert "<script>" not in bundle["text/html"]
    assert "<script>" not in bundle["text/markdown"]
    assert not any("\x1b" in text for text in bundle.values())


def test_executed_and_built(build: Build, tmp_path: Path) -> None:
    pytest.importorskip("myst_nb")
    text = notebook(tmp_path)
    for kind in TYPES:
        assert text.count(f'"{kind}"') == len(CELLS) - 1
    assert "did you mean 'context'" in text
    project = build(
        {"index.ipynb": text},
        extensions=["myst_nb", "sphinx_llmsize"],
        nb_execution_mode="off",
        # MyST-NB adds its suffixes to the value of this setting, which other projects would share
        source_suffix={".rst": "restructuredtext", ".ipynb": "myst-nb"},
    )
    html = project.output("index.html")
    assert html.count('<div class="llmsize">') == len(CELLS) - 1
    assert "124,439,808" in html
    assert not project.log
