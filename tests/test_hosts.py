"""The table of hosts."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from sphinx_llmsize import hosts, load
from sphinx_llmsize.blocks import (
    Bar,
    Derivation,
    Document,
    Facts,
    Formula,
    Heading,
    Link,
    Paragraph,
    Superscript,
    Table,
    Variable,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.cli import main
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.directives.options import CompareOptions, DiffOptions
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.hosts import host
from sphinx_llmsize.hosts.json import SCHEMA, VERSION, numbers
from sphinx_llmsize.hosts.markdown import line, to_markdown
from sphinx_llmsize.markdown_flavours import FLAVOURS, Flavour
from sphinx_llmsize.model import Model
from sphinx_llmsize.report import Report, comparison_of, difference_of
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.shared import papers as papers_module
from sphinx_llmsize.views.shared.display_tex import display_tex
from sphinx_llmsize.views.view_options import ViewOptions

NUMBER = re.compile(r"\d(?:[\d.,]|\{,\})*")
MINE = {"hidden_dim": 8, "num_layers": 1, "num_heads": 1, "vocab_size": 9}
HOSTILE = "=1+1\x1b[31m\u202e</title><script>alert(1)</script>\\input{x}$x$ [bold]b[/bold] {{ 1 }}"
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
needs_latex = pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs LaTeX")


def report(model: Model, *views: str) -> Report:
    return Report(
        model.name, (model,), lambda: document(model, views, ViewOptions()), has_chosen_views=True
    )


@pytest.mark.parametrize("name", hosts.HOSTS)
def test_every_host_is_a_format(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = load("gpt2")
    assert main(("show", "gpt2", "--format", name)) == 0
    assert str(model.total) in re.sub(r"\{?,\}?", "", capsys.readouterr().out)


@pytest.mark.parametrize("name", hosts.HOSTS)
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_in_every_host(name: str, view: str) -> None:
    shown_by, shown_view = hosts.host(name), report(load("mixtral-8x7b"), view)
    shown = shown_by(shown_view)
    assert len(shown) > len(shown_by(replace(shown_view, build=tuple)))
    # data classes, ids of Python, or placeholders are never text
    assert not re.search(r"\bobject at 0x|\w+\(\w+=|<\w+\.\w+: |\bNone\b", shown)


@pytest.mark.parametrize("name", hosts.HOSTS)
def test_hostile_names_are_inert(name: str) -> None:
    model = load(HOSTILE, MINE)
    shown = hosts.host(name)(report(model, *VIEWS))
    assert not UNSAFE.search(shown)
    if name in {"html", "markdown"}:
        assert "<script" not in shown
    if name == "terminal":
        assert "[bold]b[/bold]" in shown
    if name == "latex":
        assert r"\textbackslash{}input\{x\}" in shown
    if name == "csv":
        cells = [cell for row in csv.reader(shown.split("\n")) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]
        assert any(cell.startswith("'=1+1") for cell in cells)


@pytest.mark.parametrize("flavour", FLAVOURS.values(), ids=FLAVOURS)
def test_every_view_in_every_flavour(flavour: Flavour) -> None:
    """A hostile name adds no HTML, Liquid or math; KaTeX and Pandoc typeset only the formulas."""
    blocks = document(load(HOSTILE, MINE), tuple(VIEWS), ViewOptions())
    shown = to_markdown(blocks, heading=HOSTILE, flavour=flavour)
    tokens = MarkdownIt("commonmark").enable("table").parse(shown)
    inner = [child for token in tokens for child in token.children or ()]
    html = {token.content for token in (*tokens, *inner) if token.type.startswith("html_")}
    tags = {"<br>", "<sub>", "</sub>", "<sup>", "</sup>"}
    assert html <= (tags if flavour.html else set())
    assert not UNSAFE.search(shown)
    assert "{{" not in shown
    assert "$" not in re.sub(r"^\$\$\n.*?^\$\$$", "", shown, flags=re.DOTALL | re.MULTILINE)
    assert (r"\rule" in shown) == (flavour.math is not None and flavour.struts)
    formulas = [block for block in blocks if isinstance(block, (Derivation, Formula))]
    assert all(display_tex(block).isascii() for block in formulas)


@pytest.mark.parametrize("name", hosts.HOSTS)
@pytest.mark.parametrize("options", [{"show": ("table", "composition")}, {}])
def test_comparisons_in_every_host(name: str, options: dict[str, tuple[str, ...]]) -> None:
    models = (load("gpt2"), load(HOSTILE, MINE))
    report = comparison_of(models, CompareOptions(**options))
    shown = hosts.host(name)(replace(report, has_chosen_views=bool(options)))
    assert "GPT-2 small" in shown.replace("GPT{-}", "GPT-")
    assert not UNSAFE.search(shown)


@pytest.mark.parametrize("views", [("table",), tuple(VIEWS)])
def test_json_follows_its_schema(views: tuple[str, ...]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text("utf-8"))
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    model = load("deepseek-v3")
    models = (model, load("gpt2"))
    blocks = document(model, views, ViewOptions())
    for shown in (models, models[:1]):
        for has_views in (True, False):
            written = host("json")(Report("x", shown, lambda: blocks, has_chosen_views=has_views))
            validator(schema).validate(json.loads(written))
    wrong = {"version": VERSION, **numbers(model), "totl": 1}
    assert not validator(schema).is_valid(wrong)


@pytest.mark.parametrize("name", ["llama-7b", "deepseek-v3"])
def test_latex_has_the_sums_of_markdown(name: str) -> None:
    """A sum has headings, symbols aligned to the right, and rules below headings and sums."""
    shown, markdown = (host(each)(report(load(name), "formula")) for each in ("latex", "markdown"))
    sums = re.findall(r"\\begin\{array\}.*?\\end\{array\}", markdown, re.DOTALL)
    assert sums
    for tex in sums:
        assert tex in shown
        assert tex.startswith(r"\begin{array}{lrclr}")
        assert tex.count(r"\hline") == 2
        assert r"\textbf{" in tex
    assert shown.count(r"\resizebox") == len(sums)  # a wide sum shrinks to the text


def paper(shown: str, folder: Path, *commands: str) -> str:
    """The output of pdflatex for a paper with tables, made in the folder.

    Args:
        shown: LaTeX of the tables.
        folder: an empty folder.
        commands: further lines of the preamble.
    """
    preamble = re.search(r"^% +(\\usepackage.*)$", shown, re.MULTILINE)
    assert preamble
    (folder / "sizes.tex").write_text(shown, "utf-8")
    lines = (
        r"\documentclass{article}",
        preamble[1],
        *commands,
        r"\begin{document}",
        r"\input{sizes}",
        r"\end{document}",
    )
    (folder / "paper.tex").write_text("\n".join(lines), "utf-8")
    command = ("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex")
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    output = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, output[-2000:]
    return output


@needs_latex
@pytest.mark.parametrize(
    "model", [load("deepseek-v3"), load(HOSTILE, MINE)], ids=["deepseek", "hostile"]
)
def test_latex_in_a_paper(model: Model, tmp_path: Path) -> None:
    output = paper(host("latex")(report(model, *VIEWS)), tmp_path)
    assert "too wide) detected" not in output  # tables and formulas


@needs_latex
@pytest.mark.parametrize("name", ["deepseek-v3", "jamba-v0.1"])
def test_tables_of_a_paper_shrink_little(name: str, tmp_path: Path) -> None:
    """Their letters have at least 5 of 8 points, so a table is at most 8/5 as wide as the text."""
    width = (
        r"\let\shrunk\resizebox",
        r"\renewcommand{\resizebox}[3]{\sbox0{#3}\typeout{width \the\wd0}\shrunk{#1}{#2}{#3}}",
    )
    output = paper(host("latex")(report(load(name), "table", "scaling")), tmp_path, *width)
    widths = [float(each) for each in re.findall(r"^width ([\d.]+)pt", output, re.MULTILINE)]
    assert len(widths) == 3
    assert max(widths) < 345 * 8 / 5


@pytest.mark.parametrize(
    ("options", "caption"),
    [((), "LLaMA 7B: parameters by component"), (("--caption", "My words"), "My words")],
)
def test_captions_of_a_paper_name_the_model(
    options: tuple[str, ...], caption: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("show", "llama-7b", "--show", "table", "--format", "latex", *options)) == 0
    assert f"\\caption{{{caption}}}\n\\label{{tab:llama-7b}}\n" in capsys.readouterr().out


def test_rules_of_a_paper_are_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """A difference begins with the total of a model, right below the rule of the head."""
    assert main(("diff", "gpt2", "llama-7b", "--show", "table", "--format", "latex")) == 0
    shown = capsys.readouterr().out.splitlines()
    below = [after for line, after in pairwise(shown) if line == r"\midrule"]
    assert [line[:18] for line in below] == [r"\textbf{GPT-2 smal", r"\textbf{Difference"]


def test_labels_of_a_paper() -> None:
    """Each is there once, and doesn't depend on the language."""
    shown = host("latex")(report(load("deepseek-v3"), *VIEWS))
    labels = re.findall(r"\\label\{(.*?)\}", shown)
    assert len(labels) == len({*labels}) == shown.count(r"\caption{")
    assert {"tab:deepseek-v3", "fig:deepseek-v3", "tab:deepseek-v3-memory-2"} <= {*labels}


def test_csv_has_ids_and_digits() -> None:
    model = load("mixtral-8x7b")
    written = csv.reader(host("csv")(report(model, "table")).split("\n"))
    rows = {row[0]: row for row in written if row}
    parameters = rows["id"].index("Parameters")
    assert rows["total"][parameters] == str(model.total)
    assert rows["active"][parameters] == str(model.active)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", ["gpt2", "llama-3-8b", "deepseek-v3"])
def test_csv_has_whole_numbers_as_digits(name: str, view: str) -> None:
    """Their units are in the headings or in the names of rows."""
    rows = csv.reader(host("csv")(report(load(name), view)).split("\n"))
    cells = [cell for row in rows for cell in row]
    assert not [
        cell for cell in cells if re.fullmatch(r"-?\d{1,3}(,\d{3})+( \w+)?|\d+ bytes", cell)
    ]


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("markdown", "[Kaplan et al. 2020](https://arxiv.org/abs/2001.08361)"),
        ("html", '<a href="https://arxiv.org/abs/2001.08361">Kaplan et al. 2020</a>'),
        ("terminal", "Kaplan et al. 2020"),
        ("latex", "Kaplan et al. 2020"),
        ("json", "Kaplan et al. 2020"),
    ],
)
def test_papers_are_links_where_the_format_has_links(name: str, link: str) -> None:
    shown = host(name)(report(load("gpt2"), "compute"))
    assert link in " ".join(shown.split())


def test_every_paper_has_authors_and_a_year() -> None:
    papers = [each for each in vars(papers_module).values() if isinstance(each, Link)]
    assert papers
    for paper in papers:
        assert re.fullmatch(r"[A-Z][a-z]+ et al\. \d{4}", paper.text)
        assert re.fullmatch(r"https://arxiv\.org/abs/\d{4}\.\d{5}", paper.url)


@pytest.mark.parametrize("view", VIEWS)
def test_no_view_names_a_paper_by_its_number_alone(view: str) -> None:
    assert "arXiv:" not in host("terminal")(report(load("gpt2"), view))


@pytest.mark.parametrize("format", ["csv", "json"])
def test_data_have_no_marks_of_notes(format: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("compare", "deepseek-v3", "--show", "table", "--format", format)) == 0
    text = capsys.readouterr().out
    assert "18432" in text.replace(",", "")
    assert not set("*†") & set(text)


@pytest.mark.parametrize(
    ("views", "headings"),
    [
        (("table", "formula", "rule", "diagram"), []),
        (("memory",), []),
        (("table", "memory", "formula"), ["Memory", "Derivation"]),
        (("compute", "scaling", "table"), ["Compute", "Scaling", "Parameters"]),
    ],
)
def test_views_with_several_captions_have_headings_and_those_after_them(
    views: tuple[str, ...], headings: list[str]
) -> None:
    blocks = document(load("gpt2"), views, ViewOptions())
    assert [str(block.content[0]) for block in blocks if isinstance(block, Heading)] == headings


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("markdown", "### Memory"),
        ("html", '<p class="llmsize-heading">Memory</p>'),
        ("latex", r"\subsubsection*{Memory}"),
        ("terminal", "Memory\n"),
        ("json", '"Memory"'),
    ],
)
def test_headings_in_each_host(name: str, heading: str) -> None:
    assert heading in host(name)(report(load("gpt2"), "table", "memory"))


def test_csv_has_bytes_of_exact_sizes_and_ids_of_estimates() -> None:
    tables = host("csv")(report(load("gpt2"), "memory")).split("\n\n")
    weights, _cache, training = (
        list(csv.reader(each.split("\n"))) for each in tables if each.startswith("id")
    )
    of_fp32 = dict(zip(weights[0], weights[1], strict=True))
    assert of_fp32["Bytes"] == str(4 * load("gpt2").total)
    assert {row[0] for row in training} >= {"training.states", "training.activations"}
    assert "Bytes" not in training[0]


def test_csv_has_ids_of_numbers_without_exponent() -> None:
    written = host("csv")(report(load("lfm2-350m"), "scaling"))
    (row,) = (line for line in written.split("\n") if ",FFN," in line)
    assert row == "exponent.feed_forward,FFN,3 L D F_a,–,1.98"


def test_csv_and_json_have_all_digits_of_rounded_numbers() -> None:
    model = load("mixtral-8x7b")
    _growth, costs, *_others = host("csv")(report(model, "scaling")).split("\n\n")
    unchanged = next(csv.DictReader(io.StringIO(costs)))
    assert unchanged["Parameters"] == str(model.total)
    assert unchanged["Active parameters"] == str(model.active)
    assert f'"{thousands(model.total)}"' in host("json")(report(model, "scaling"))


def test_csv_of_several_models() -> None:
    """Ids name the models, numbers are exact, and differences have a sign that programs read."""
    models = (load("gpt2"), load("mixtral-8x7b"))
    compared = comparison_of(models, CompareOptions(), is_exact=True)
    rows = list(csv.reader(host("csv")(compared).split("\n")))
    assert [row[0] for row in rows] == ["id", "gpt2", "mixtral-8x7b"]
    assert rows[2][-2:] == ["46702792704", "12879925248"]
    changed = difference_of(load("llama-2-7b"), load("llama-3-8b"), DiffOptions(), is_exact=True)
    heads, *rows = csv.reader(host("csv")(changed).split("\n"))
    assert heads[:5] == ["Change", "Old", "New", "Parameters", "Active parameters"]
    assert heads[5:] == ["KV cache per token, bytes", "FLOPs per token"]
    values = ["-805306368", "-805306368", "-393216", "-1610612736"]
    assert rows[2] == ["Key/value heads", "32", "8", *values]


def test_csv_of_differences_has_a_number_in_every_cell_below_the_names_of_numbers() -> None:
    changed = difference_of(load("gpt2"), load("deepseek-v3"), DiffOptions(), is_exact=True)
    _heads, *rows = csv.reader(host("csv")(changed).split("\n"))
    assert [float(text) for row in rows for text in row[3:]]
    assert [row[0] for row in rows if "attention" in row[1]] == ["Attention"]


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        (
            "granite-4.0-h-tiny",
            "granite-4.0-micro",
            "FFN dimension of an expert, experts, experts per token and FFN "
            "dimension of the shared expert → FFN dimension",
        ),
        (
            "granite-3.0-2b",
            "granite-3.0-1b-a400m",
            "FFN dimension → FFN dimension of an expert (with the architecture)",
        ),
        ("mistral-7b-v0.1", "mistral-7b-v0.3", "Tokens in an attention window"),
        ("chatglm-6b", "chatglm2-6b", "FFN dimension"),
    ],
)
def test_csv_of_differences_has_all_changes_of_json(one: str, other: str, name: str) -> None:
    """Sizes with the names of the parts that have them, and replaced parts in words."""
    shown = difference_of(load(one), load(other), DiffOptions(), is_exact=True)
    _heads, *rows = csv.reader(host("csv")(shown).split("\n"))
    assert name in [row[0] for row in rows]
    found = json.loads(host("json")(shown))["difference"]
    assert len(rows) >= len(found["changes"]) + len(found["with_architecture"]) + 3
    parts = [part for change in found["changes"] for part in change["parts"]]
    assert bool(parts) is (one in {"chatglm-6b", "granite-4.0-h-tiny"})
    old_and_new = [text for row in rows for text in row[1:3]]
    for part in parts:
        for text in (part["before"], part["after"]):
            assert any(f": {text}" in each for each in old_and_new)


def test_json_has_an_exact_number_for_every_cost() -> None:
    """Also for a pooler, which reads a sequence once."""
    models = load("gpt2"), load("bert-base-uncased")
    changed = difference_of(*models, DiffOptions(context=509))
    written = json.loads(host("json")(changed))["difference"]
    changes = (*written["changes"], *written["architecture"])
    costs = [each["cost"] for each in changes]
    assert written["total"]["flops"] == models[1].flops(509) - models[0].flops(509)
    assert sum(Fraction(cost["flops"]) for cost in (*costs, written["together"])) == Fraction(
        written["total"]["flops"]
    )


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", ["html", "markdown"])
def test_every_host_shows_every_text(name: str, view: str) -> None:
    """Hosts that show all of a page; the others leave out what their format has no place for."""
    shown = report(load("llama-3-8b"), view)
    written = readable(hosts.host(name)(shown))
    assert [text for text in texts(shown.blocks) if readable(text) not in written] == []


@pytest.mark.parametrize(
    ("flavour", "power"),
    [
        ("github", "8<sup>*p*</sup>"),
        ("quarto", "8^*p*^"),
        ("hugo", "8^*p*"),
        ("plain", "8^*p*"),
    ],
)
def test_an_exponent_is_a_superscript_in_markdown(flavour: str, power: str) -> None:
    blocks = document(load("gpt2"), ("scaling",), ViewOptions())
    assert f"by a factor of {power}." in to_markdown(blocks, FLAVOURS[flavour])


@pytest.mark.parametrize(
    ("name", "power"),
    [
        (
            "html",
            '<span class="llmsize-signs">8</span><sup><span class="llmsize-symbol">p</span></sup>.',
        ),
        ("latex", "8$^{p}$."),
        ("terminal", "8^p."),
    ],
)
def test_an_exponent_is_a_superscript_in_every_host(name: str, power: str) -> None:
    assert f"a factor of {power}" in " ".join(
        hosts.host(name)(report(load("gpt2"), "scaling")).split()
    )


@pytest.mark.parametrize("name", hosts.HOSTS)
def test_every_host_shows_the_less_important_sizes(name: str) -> None:
    assert "dense layers" in hosts.host(name)(report(load("deepseek-v3"), "table"))


def texts(blocks: Document) -> Iterator[str]:
    """Words and numbers that a reader of any host must find."""
    for block in blocks:
        if isinstance(block, Paragraph):
            symbols = (Variable, Superscript)
            yield from (str(piece) for piece in block.content if not isinstance(piece, symbols))
        elif isinstance(block, Facts):
            yield from (text for f in block.facts for text in (f.symbol.base, f.value, f.meaning))
        elif isinstance(block, Table):
            lines = (line for row in block.rows for cell in row.cells for line in cell)
            headings = (block.caption, *(column.heading for column in block.columns))
            yield from (piece for line in headings for piece in line if isinstance(piece, str))
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
    """Text without markup, entities, escapes, spaces and dots, which may be spaces in formulas."""
    # numbers in TeX and labels in Mermaid have codes in place of characters
    text = unescape(text).replace(r"{\times}\text", "×").replace("·", "")
    characters = re.sub(r"&?#(\d+);", lambda code: chr(int(code[1])), text)
    return re.sub(r"[\s{}\\]", "", characters).replace("−", "-").replace("’", "'")


@pytest.mark.parametrize(
    ("share", "bar"),
    [(0, "░" * 10), (0.0001, "▏" + "░" * 9), (0.019, "▎" + "░" * 9), (0.319, "███▎" + "░" * 6)],
)
def test_bars_in_markdown(share: float, bar: str) -> None:
    assert line((Bar(share),)) == f"\N{NO-BREAK SPACE}{bar}"


def test_every_module_is_in_the_table() -> None:
    modules = {path.stem for path in Path(hosts.__file__).parent.glob("[!_]*")}
    extensions = {"sphinx", "python_markdown", "mystmd"}
    assert modules == extensions | {*(place.partition(":")[0] for place in hosts.HOSTS.values())}
