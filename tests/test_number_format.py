"""Separators in numbers: those of the language, or of ``llmsize_number_format``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from project import Build
from sphinx.testing.util import SphinxTestApp

from sphinx_llmsize import load, translation
from sphinx_llmsize.blocks import Derivation, Formula
from sphinx_llmsize.formats import (
    decimal,
    factor_text,
    has_exact_decimal,
    percent,
    round_short,
    short,
    short_or_exact,
    significant,
    thousands,
)
from sphinx_llmsize.hosts.json import numbers as numbers_of
from sphinx_llmsize.hosts.sphinx.number_format import EXAMPLES, separators_of
from sphinx_llmsize.sandbox import render
from sphinx_llmsize.translation import ENGLISH, Separators, localize, plain_digits
from sphinx_llmsize.views import document
from sphinx_llmsize.views.numbers.byte_measures import elements_text
from sphinx_llmsize.views.numbers.model_numbers import number_text
from sphinx_llmsize.views.shared.display_tex import display_tex
from sphinx_llmsize.views.view_options import ViewOptions

NARROW = "\u202f"
GERMAN, SWISS, SPACED = Separators(".", ","), Separators("\u2019", "."), Separators(NARROW, ".")
SENTENCE = """
T
=

It has :llm-size:`llama-7b:total:exact` parameters, :llm-size:`llama-7b`.
"""
PAGE = f"""{SENTENCE}
.. llm-size:: llama-7b
   :show: table, formula, shapes, memory, compute, scaling

.. llm-compare:: llama-7b?hidden_dim*1.5, gpt2
   :show: table, composition
"""


@pytest.fixture
def numbers(request: pytest.FixtureRequest) -> Iterator[Separators]:
    """The separators of the parameter, in use during a test without Sphinx."""
    translation.set_language(ENGLISH, request.param)
    yield request.param
    translation.set_language(ENGLISH)


@pytest.mark.parametrize("numbers", [GERMAN], indirect=True)
@pytest.mark.usefixtures("numbers")
def test_every_format() -> None:
    assert thousands(6738415616) == "6.738.415.616"
    assert (short(6738415616), short(999)) == ("6,74B", "999")
    assert (short_or_exact(9999), short_or_exact(10_000)) == ("9.999", "10,0K")
    assert (significant(Fraction(8789, 1000)), significant(1240.4)) == ("8,79", "1.240")
    assert (percent(0.9561), percent(0.0001), percent(0.9999)) == ("95,6%", "<0,1%", ">99,9%")
    assert (decimal(Fraction(193, 16)), round_short(2.5e9)) == ("12,0625", "2,5B")
    assert significant(Fraction(1, 10**8)) == "<0,000001"
    assert (factor_text(Fraction(3, 2)), has_exact_decimal(Fraction(193, 16))) == ("1,5", True)


@pytest.mark.parametrize("numbers", [GERMAN], indirect=True)
@pytest.mark.usefixtures("numbers")
def test_decimals_of_measures() -> None:
    assert elements_text(Fraction(2049, 2)) == "1.024,5"
    measured = number_text(load("gpt2"), ("exponent.total", "hidden_dim*1..2"))
    assert re.fullmatch(r"1,\d\d", measured)


@pytest.mark.parametrize("numbers", [GERMAN, SWISS, SPACED, Separators("", ".")], indirect=True)
def test_a_written_number_can_be_read_again(numbers: Separators) -> None:
    written = localize("1,234,567.5")
    assert written == f"1{numbers.group}234{numbers.group}567{numbers.decimal}5"
    assert plain_digits(written) == "1234567.5"


@pytest.mark.parametrize(
    ("numbers", "tex"),
    [
        (GERMAN, "6.738.415.616"),
        (SPACED, r"6\,738\,415\,616"),
        (Separators(), "6{,}738{,}415{,}616"),
    ],
    indirect=["numbers"],
)
@pytest.mark.usefixtures("numbers")
def test_numbers_in_formulas(tex: str) -> None:
    formulas = document(load("llama-7b"), ("formula",), ViewOptions())
    shown = [block for block in formulas if isinstance(block, (Derivation, Formula))]
    lines = [line for block in shown for line in display_tex(block).split("\n")]
    assert any(tex in line for line in lines)
    # TeX would add a space after a plain comma, and pdfLaTeX lacks narrow spaces in formulas
    assert not any(re.search(rf"\d,\d|{NARROW}", line) for line in lines)


@pytest.mark.parametrize("numbers", [GERMAN], indirect=True)
@pytest.mark.usefixtures("numbers")
def test_numbers_for_programs_stay_plain() -> None:
    assert json.dumps(numbers_of(load("llama-7b"))["total"]) == "6738415616"
    text = '{{ model("llama-7b").total }} {{ 1.5 }} {{ 6738415616 | exact }} {{ 1234567 | tex }}'
    assert render(text, load).lines == ("6738415616 1.5 6.738.415.616 1.234.567",)


@pytest.mark.parametrize(
    ("language", "total", "rounded"),
    [
        ("en", "6,738,415,616", "6.74B"),
        ("de", "6.738.415.616", "6,74B"),
        ("de_CH", "6\u2019738\u2019415\u2019616", "6.74B"),
        ("fr", f"6{NARROW}738{NARROW}415{NARROW}616", "6,74B"),
        ("hi", "6,73,84,15,616", "6.74B"),
        ("ru", f"6{NARROW}738{NARROW}415{NARROW}616", "6,74B"),
        ("zh_CN", "6,738,415,616", "6.74B"),
        ("tlh", "6,738,415,616", "6.74B"),
    ],
)
def test_numbers_of_a_language(language: str, total: str, rounded: str, build: Build) -> None:
    text = build({"index.rst": SENTENCE}, "text", language=language).output("index.txt")
    assert f"It has {total} parameters, {rounded}." in text


@pytest.mark.parametrize("builder", ["text", "man", "latex", "html"])
def test_every_number_of_every_view(builder: str, build: Build) -> None:
    project = build({"index.rst": PAGE}, builder, llmsize_number_format="1 234,5")
    names = {"text": "index.txt", "man": "*.1", "latex": "*.tex", "html": "index.html"}
    (file,) = Path(project.app.outdir).glob(names[builder])
    text = file.read_text("utf-8")
    assert f"6{NARROW}738{NARROW}415{NARROW}616" in text
    # after a bracket: coordinates of drawings
    assert re.findall(r"(?<![\w.,(])\d{1,3}(?:,\d{3})+(?![\d.])", text) == []


def test_the_setting_overrides_the_language(build: Build) -> None:
    settings = {"language": "de", "llmsize_number_format": "1,234.5"}
    text = build({"index.rst": SENTENCE}, "text", **settings).output("index.txt")
    assert "It has 6,738,415,616 parameters, 6.74B." in text


def test_pdf_latex_has_the_narrow_space(build: Build) -> None:
    project = build({"index.rst": SENTENCE}, "latex", llmsize_number_format="1 234.5")
    (file,) = Path(project.app.outdir).glob("*.tex")
    assert r"\DeclareUnicodeCharacter{202F}{\,}" in file.read_text("utf-8")


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_written_like_themselves(example: str) -> None:
    translation.set_language(ENGLISH, separators_of(example) or Separators("?", "?"))
    assert localize("1,234.5") == example.replace(" ", NARROW)
    translation.set_language(ENGLISH)


@pytest.mark.parametrize(
    "example", ["", "1,234,5", "1.234.5", "german", "1 234", "1x234.5", 1234.5]
)
def test_other_examples_are_reported(example: object, build: Build) -> None:
    project = build({"index.rst": SENTENCE}, "text", language="de", llmsize_number_format=example)
    (warned,) = project.warned
    assert (warned.file, warned.type) == ("conf.py", "llmsize.option")
    assert "6.738.415.616" in project.output("index.txt")


def test_a_changed_setting_writes_the_pages_again(build: Build) -> None:
    first = build({"index.rst": PAGE}, "text")
    assert "6,738,415,616" in first.output("index.txt")
    settings = {"llmsize_number_format": "1.234,5"}
    again = SphinxTestApp("text", srcdir=Path(first.app.srcdir), confoverrides=settings)
    again.build()
    assert "6.738.415.616" in (Path(again.outdir) / "index.txt").read_text("utf-8")
    again.cleanup()
