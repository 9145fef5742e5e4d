"""MathML of the TeX in blocks, without and with Sphinx."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from families import SOME_DEFAULTS
from project import Build

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Derivation, Formula, Tex
from sphinx_llmsize.html.mathml import NAMESPACE, mathml
from sphinx_llmsize.html.stylesheet import style_element
from sphinx_llmsize.views import document
from sphinx_llmsize.views.shared.tex_as_text import plain
from sphinx_llmsize.views.view_options import ViewOptions

CORE = frozenset(
    {"math", "semantics", "annotation", "mrow", "mi", "mn", "mo", "mtext", "mspace"}
    | {"msub", "msup", "msubsup", "mpadded", "mphantom", "munder", "mfrac", "mtable", "mtr", "mtd"}
)
"""Elements in use, all in MathML Core."""
WITH_MATH = ("formula", "rule", "memory", "compute")
SPOKEN = {"×": "x", "⋅": "x", "·": "x"}
"""Characters that MathML and plain text have for the same sign."""
PAGE = "T\n=\n\n.. llm-size:: llama-7b\n   :show: formula, rule, diagram\n"
SETTINGS = {"llmsize_math": "mathml", "llmsize_diagram": "svg"}


def parsed(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<p>{markup}</p>")


def shown(markup: str) -> str:
    """What a reader sees, without spaces."""
    root = parsed(markup)
    texts = (
        "".join(element.itertext())
        for element in root.iter(f"{{{NAMESPACE}}}semantics")
        for annotation in element.findall(f"{{{NAMESPACE}}}annotation")
        if element.remove(annotation) is None
    )
    text = re.sub("[\\s\u2061\u2062]", "", "".join(texts))
    return "".join(SPOKEN.get(character, character) for character in text)


def formulas(config: dict[str, object]) -> Iterator[Tex]:
    for block in document(load("model", config), WITH_MATH, ViewOptions()):
        if isinstance(block, Formula):
            yield from block.lines
        elif isinstance(block, Derivation):
            yield from (tex for row in block.rows for tex in (row.symbols, row.numbers) if tex)


@pytest.mark.presets
@pytest.mark.parametrize("name", SOME_DEFAULTS)
def test_every_formula_of_every_family(name: str) -> None:
    for tex in formulas(SOME_DEFAULTS[name]):
        markup = mathml(tex)
        kinds = {element.tag for element in parsed(markup).iter()} - {"p"}
        assert kinds <= {f"{{{NAMESPACE}}}{core}" for core in CORE}
        annotations = parsed(markup).iter(f"{{{NAMESPACE}}}annotation")
        written = "".join(annotation.text or "" for annotation in annotations)
        assert re.sub(r"\s", "", written) == re.sub(r"\s", "", "".join(tex))
        text = "".join(tex)
        if "frac" not in text and "underbrace" not in text and "^" not in text:
            assert shown(markup) == re.sub(
                r"[\s_]", "", "".join(SPOKEN.get(c, c) for c in plain(text).replace("-", "−"))
            )


@pytest.mark.parametrize(
    ("tex", "inner"),
    [
        ("D", "<mi>D</mi>"),
        ("4{,}096", "<mn>4,096</mn>"),
        (r"4\,096{,}5", "<mn>4\u202f096,5</mn>"),
        ("4.096", "<mn>4.096</mn>"),
        (r"H_{\mathrm{kv}}", "<msub><mi>H</mi><mtext>kv</mtext></msub>"),
        ("d_{h}^{2}", "<msubsup><mi>d</mi><mi>h</mi><mn>2</mn></msubsup>"),
        (r"\tfrac{43}{16}", "<mfrac><mn>43</mn><mn>16</mn></mfrac>"),
        (r"D \; F", '<mi>D</mi><mspace width="0.2778em"></mspace><mi>F</mi>'),
        (r"\min(T", '<mi>min</mi><mo>\u2061</mo><mo stretchy="false">(</mo><mi>T</mi>'),
        ("- D", '<mo lspace="0">−</mo><mi>D</mi>'),
        (" + D", '<mo form="infix" lspace="0">+</mo><mi>D</mi>'),
        ("= -58", '<mo lspace="0">=</mo><mo form="prefix">−</mo><mn>58</mn>'),
        (r"\text{<b>&amp;}", "<mtext>&lt;b&gt;&amp;amp;</mtext>"),
        (
            r"\vphantom{\tfrac{1}{1}}",
            '<mpadded width="0"><mphantom><mfrac><mn>1</mn><mn>1</mn></mfrac></mphantom></mpadded>',
        ),
        (
            r"\underbrace{4}_{D}",
            "<munder><munder><mn>4</mn><mo stretchy=\"true\">⏟</mo></munder><mi>D</mi></munder>",
        ),
    ],
)  # fmt: skip
def test_how_tex_is_written(tex: str, inner: str) -> None:
    assert f"<semantics><mrow>{inner}</mrow><annotation " in mathml((tex,))


def test_products_are_spoken_as_products() -> None:
    assert "<mn>2</mn><mo" in mathml((r"2 \, D",))
    assert "\N{INVISIBLE TIMES}</mo><mi>D</mi>" in mathml((r"2 \, D",))


def test_lines_break_between_pieces_and_in_wide_pieces() -> None:
    assert mathml(("a", " + b")).count("<math") == 2
    wide = r"2 \times (1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1) \times 2{,}048"
    assert mathml((wide,)).count("<math") == 12
    assert "</math> <math" in mathml((wide,))
    assert mathml((rf" \times {wide}",)).count("<math") == 12
    braced = r"\underbrace{2 \times 2 + 2 \times 2 + 2 \times 2 + 2 \times 2}_{\text{attention}}"
    assert mathml((braced,)).count("<math") == 1


@pytest.mark.parametrize(
    "tex", [r"\sum", "{", "}", "a_b", "a_{b}_{c}", r"\tfrac{1}", "#", r"\\ a", r"\bigl["]
)
def test_other_tex_is_refused(tex: str) -> None:
    with pytest.raises(ValueError, match="TeX without MathML"):
        mathml((tex,))


def test_a_page_without_requests(build: Build) -> None:
    """It contains the stylesheet, unlike pages without our output, and no script."""
    files = {"index.rst": PAGE, "other.rst": "T\n=\n\n:math:`x`\n"}
    project = build(files, extensions=["sphinx_llmsize"], **SETTINGS)
    page, other = project.output("index.html"), project.output("other.html")
    assert project.warned == []
    assert page.count("<math ") > 15
    assert page.partition("</head>")[0].count(style_element()) == page.count("<style>") == 1
    assert "<style>" not in other
    loaded = re.compile(r"<(?:link|script)[^>]*(?:llmsize|mermaid|mathjax)[^>]*>", re.IGNORECASE)
    assert loaded.findall(page) == []
    assert "mathjax" in loaded.findall(other)[0]
    # in the search index, as elsewhere, formulas would only be clutter
    assert "application/x-tex" not in project.output("searchindex.js")


def test_math_is_typeset_by_the_project_by_default(build: Build) -> None:
    page = build({"index.rst": PAGE}).output("index.html")
    assert "<math " not in page
    assert "mathjax" in page.lower()


PROJECT: dict[str, Any] = {
    "project": "project",
    "version": "1",
    "copyright": "Me",
    "author": "Me",
    "latex_documents": [("index", "project.tex", "T", "Me", "manual")],
    "man_pages": [("index", "project", "T", ["Me"], 1)],
}
OUTPUTS = {
    "latex": "project.tex",
    "text": "index.txt",
    "man": "project.1",
    "texinfo": "project.texi",
    "xml": "index.xml",
    "epub": "index.xhtml",
}
DIFFERENT = re.compile(r"source[01]|(?:mathjax|tex2jax)_\w+ ")
"""Paths of the projects, and classes for a script that EPUB does not have."""


@pytest.mark.parametrize("builder", OUTPUTS)
def test_other_builders_do_not_change(builder: str, build: Build) -> None:
    default, in_mathml = (
        build({"index.rst": PAGE}, builder, **PROJECT, llmsize_math=value).output(OUTPUTS[builder])
        for value in ("sphinx", "mathml")
    )
    assert DIFFERENT.sub("", in_mathml) == DIFFERENT.sub("", default)


def test_feeds_have_mathml(build: Build) -> None:
    page = build({"index.rst": PAGE}, "json", **SETTINGS).output("index.fjson")
    assert page.count("<math ") > 15
