"""Text files, man pages, Texinfo."""

from __future__ import annotations

import re

import pytest
from project import Build

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Derivation, Formula
from sphinx_llmsize.typography import typographic
from sphinx_llmsize.views import document
from sphinx_llmsize.views.shared.tex_as_text import plain, plain_lines
from sphinx_llmsize.views.view_options import ViewOptions

SETTINGS = {"project": "Project", "author": "Me", "version": "1", "copyright": "Me"}


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"N = 2 \, D^{2}", "N = 2 D²"),
        (r"H_{\mathrm{kv}} \, d_{h}", "H_kv d_h"),
        (r"\underbrace{3 \, D \, F}_{\text{feed-forward}}", "3 D F [feed-forward]"),
        (r"\underbrace{2 + \tfrac{2}{g}}_{\text{both}}", "(2 + 2/g) [both]"),
        (r"L \, N_{\text{layer}}", "L N_layer"),
        (r"\mathbf{8{,}030} \approx 8", "8,030 ≈ 8"),
        (r"\approx 2.15\ \text{GB}", "≈ 2.15 GB"),
    ],
)
def test_math_in_characters(tex: str, text: str) -> None:
    assert plain(tex) == text


def test_a_sum_in_columns() -> None:
    (found,) = document(load("gpt2"), ("formula",), ViewOptions())
    assert isinstance(found, Derivation)
    lines = plain_lines(found)
    assert lines[0] == "Component                      Symbols     Numbers              Parameters"
    assert lines[3] == "  Attention                 4 D² + 4 D  =  4 × 768² + 4 × 768    2,362,368"
    assert lines[5] == "  One layer without norms      N_layer                           7,084,800"
    assert lines[6] == "× 12 layers                  L N_layer  =  12 × 7,084,800       85,017,600"
    assert lines[-1] == "Total                                N                         124,439,808"


@pytest.mark.parametrize("model", ["gpt2", "llama-3-8b", "deepseek-v3", "t5-base", "jamba-v0.1"])
def test_no_tex_remains(model: str) -> None:
    blocks = document(load(model), ("formula", "rule", "compute", "memory"), ViewOptions())
    shown = [block for block in blocks if isinstance(block, (Formula, Derivation))]
    assert shown
    for block in shown:
        unformatted = "\n".join(plain_lines(block))
        assert [sign for sign in "\\{}&" if sign in unformatted] == []


PAGE = {"index.rst": "Title\n=====\n\n.. llm-size:: llama-3-8b\n   :show: table, formula\n"}


def test_a_table_as_text(build: Build) -> None:
    text = build(PAGE, "text").output("index.txt")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[0][0] == "Component"
    assert ["Token embedding", "V × D", "", "", "525,336,576", "6.5%"] in cells
    assert ["", "128,256 × 4,096", "", "", "", ""] in cells
    assert "\N{NO-BREAK SPACE}" not in text
    # numbers are right-aligned
    assert {line[-3] for line in lines if "%" in line} == {"%"}
    assert "Parameters by component\n\n+--" in text


@pytest.mark.parametrize(
    ("builder", "page"), [("text", "index.txt"), ("man", "project.1"), ("texinfo", "project.texi")]
)
def test_formulas_are_readable(builder: str, page: str, build: Build) -> None:
    text = build(PAGE, builder, **SETTINGS).output(page).replace("\\-", "-")
    assert re.search(r"FFN +3 D F +=  3 × 4,096 × 14,336 +176,160,768", text)
    assert "\\times" not in text
    assert builder == "texinfo" or "H_kv" in text


def test_an_authors_own_subscript_is_unchanged(build: Build) -> None:
    page = "T\n=\n\nH\\ :sub:`2`\\ O.\n\n.. llm-size:: llama-3-8b\n   :show: table\n"
    manual = build({"index.rst": page}, "man", **SETTINGS).output("project.1")
    assert "H_kv" in manual
    assert "_2" not in manual


def test_captions_in_man_pages_are_paragraphs(build: Build) -> None:
    use = ".. llm-size:: llama-7b\n   :show: table, diagram\n"
    other = ".. llm-compare:: gpt2, gpt2-xl\n   :show: composition\n"
    pages = {"index.rst": f"Title\n=====\n\nBefore.\n\n{use}\n{other}\nAfter.\n"}
    written = build(pages, "man", man_pages=[("index", "page", "", "", 1)]).output("page.1")
    lines = written.split("\n")
    assert not [line for line in lines if ".UNINDENT" in line and line != ".UNINDENT"]
    for beginning in (
        "Parameters by component",
        "H and F are assumed",
        "Parameters of GPT\\-2 small and",
        "After.",
    ):
        places = [at for at, line in enumerate(lines) if line.startswith(beginning)]
        assert places
        assert {lines[place - 1] for place in places} == {".sp"}


def test_captions_of_tables_in_texinfo_are_paragraphs(build: Build) -> None:
    page = {"index.rst": "T\n=\n\nBefore.\n\n.. llm-compare:: gpt2, gpt2-xl\n\nAfter.\n"}
    written = build(page, "texinfo", **SETTINGS).output("project.texi")
    assert "Before.\n\nComparison of GPT-2 small and GPT-2 XL\n\n" in written


def test_highlighted_boxes_are_strong(build: Build) -> None:
    text = build({"index.rst": "T\n=\n\n.. llm-size:: gpt2\n   :show: diagram\n"}, "text")
    assert "**QKV projection**: D × 3D" in text.output("index.txt")
    assert "**Dot-product attention**" not in text.output("index.txt")


@pytest.mark.parametrize("option", ["", "   :caption: My own\n"])
def test_legends_without_pictures(option: str, build: Build) -> None:
    page = {"index.rst": f"T\n=\n\n.. llm-size:: gpt2\n   :show: diagram\n{option}"}
    html = text_of(build(page).output("index.html"))
    assert "Double frame: weights grow with D². Single frame" in html
    text = on_one_line(build(page, "text").output("index.txt"))
    assert "D = 768 (hidden dimension), V = 50,257 (vocabulary size), P = 1,024" in text
    assert "T is the number" in text


def on_one_line(text: str) -> str:
    """The text with single spaces between words."""
    return " ".join(text.split())


def text_of(page: str) -> str:
    """The visible text of a page."""
    return re.sub(r"<[^>]+>", "", page)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the model's experts' load", "the model’s experts’ load"),
        (
            "no column 'params' (did you mean 'total'?)",
            "no column 'params' (did you mean 'total'?)",
        ),
    ],
)
def test_apostrophes_are_curved_and_quotes_stay(text: str, shown: str) -> None:
    assert typographic(text) == shown
