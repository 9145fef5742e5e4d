"""HTML of documents: fragments and pages."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import html5lib
import pytest
from project import Build

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Document, Link
from sphinx_llmsize.hosts.html import show
from sphinx_llmsize.html.block_elements import blocks_in_html
from sphinx_llmsize.html.fragment import fragment
from sphinx_llmsize.html.inline_elements import inlines
from sphinx_llmsize.html.markup import element
from sphinx_llmsize.html.standalone_page import page
from sphinx_llmsize.html.stylesheet import stylesheet
from sphinx_llmsize.inline import Line, Muted, Name, Variable
from sphinx_llmsize.marks import with_mark
from sphinx_llmsize.report import Report
from sphinx_llmsize.typography import NO_BREAK
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.shared import papers
from sphinx_llmsize.views.shared.wording import joined
from sphinx_llmsize.views.view_options import ViewOptions

CORPUS = Path(__file__).parent / "data/corpus/rst"
OF_ARTICLES = ("llama-7b", "gpt2", "llama-3-8b")
BESIDES = ("deepseek-v3", "t5-small", "jamba-v0.1", "openelm-270m")
HOSTILE = (
    *("</title></style><script>alert(1)</script>", "]]><img src=x onerror=alert(1)>", "--><b>"),
    *("\" onload='alert(1)' x=`", "&lt;b&gt; &amp;", "a\x00b\x1b[31m\x85c", "\u202egnp.exe\u2066"),
    *("{{ 7 * 7 }}{% raw %}", "<!--", "<![CDATA[", "</math><script>", "</svg><iframe>"),
)
"""Names besides those of the corpus."""
SIGNS = "]]>--></b><i a=\"b\" c='d'>&lt;{{ 7 }}`"
"""A short name with the signs of all of these, for the views that take long."""
FAST_VIEWS = ("table", "diagram", "composition")
"""A table, a drawing and a chart."""
SMALL = {"hidden_dim": 48, "num_layers": 3, "num_heads": 4, "vocab_size": 1000}
INVISIBLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
HEADER_LINKS = re.compile(r'<a class="headerlink".*?</a>')
PAPERS = {paper.url for paper in vars(papers).values() if isinstance(paper, Link)}
"""Addresses to which a page may link; a link loads nothing."""


def parsed(text: str) -> Any:
    """Tree of a page; an error in its HTML fails."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(text)


def blocks(name: str, *views: str, config: dict[str, Any] | None = None) -> Document:
    return document(load(name, config), views or tuple(VIEWS), ViewOptions())


def written(name: str) -> str:
    """A page with every view of a model."""
    model = load(name)
    return show(Report(model.name, (model,), lambda: blocks(name)))


def elements(root: Any) -> list[Any]:
    return [each for each in root.iter() if isinstance(each.tag, str)]


def hostile_names() -> list[str]:
    pages = (path.read_text("utf-8") for path in sorted(CORPUS.glob("n_*")))
    return [*HOSTILE, *(name for text in pages for name in re.findall(r"llm-size:: (.*)", text))]


@pytest.mark.parametrize("name", [*OF_ARTICLES, *BESIDES])
def test_every_view_is_valid_and_loads_nothing(name: str) -> None:
    root = parsed(written(name))
    kinds = {each.tag.rpartition("}")[2] for each in elements(root)}
    assert [link.get("href") for link in root.iter("link")] == ["data:,"]  # no request for an icon
    assert kinds.isdisjoint({"script", "img", "iframe", "object", "use"})
    links = {each.get("href") for each in elements(root) if each.tag.rpartition("}")[2] == "a"}
    assert links <= PAPERS
    ids = [each.get("id") for each in elements(root) if each.get("id")]
    assert len(ids) == len(set(ids)) > 5
    described = (each.get("aria-labelledby", "") for each in elements(root))
    assert {id for id in described if id} <= set(ids)


def test_a_page_is_complete() -> None:
    text = written("gpt2")
    root = parsed(text)
    assert text.startswith("<!DOCTYPE html>")
    assert root.get("lang") == "en"
    assert root.findtext("head/title") == root.findtext("body/main/div/h1") == "GPT-2 small"
    assert root.findtext("head/style").strip().startswith(stylesheet().strip()[:500])
    without_links = re.sub(r'<a href="https://arxiv\.org/[^"]*">', "", text)
    loaded = r"url\((?![\"']?data:)|@import|https?://(?!www\.w3\.org/)"
    assert re.findall(loaded, without_links) == []
    assert {meta.get("name") for meta in root.iter("meta")} >= {"viewport", "color-scheme"}


def test_headers_of_tables_have_scopes() -> None:
    root = parsed(page("T", blocks("gpt2")))
    assert {header.get("scope") for header in root.iter("th")} == {"col", "row"}
    for table in root.iter("table"):
        if "llmsize-table" in table.get("class"):
            assert "".join(table.find("caption").itertext())


def test_two_fragments_of_a_page() -> None:
    one, two = (fragment(blocks("gpt2", "diagram", "composition"), id=id) for id in ("a", "b"))
    ids = re.findall(r' id="([^"]*)"', one + two)
    assert len(ids) == len(set(ids)) == 2 * len(re.findall(r' id="', one))
    assert one == two.replace('"b-', '"a-').replace(" b-", " a-")


def test_heading_of_a_fragment() -> None:
    shown = fragment(blocks("gpt2", "diagram"), title="A & B", level=4)
    assert shown.startswith('<div class="llmsize"><h4>A &amp; B</h4>')


def test_links_in_a_diagram() -> None:
    shown = blocks_in_html(blocks("gpt2", "diagram"), links=(("qkv", "a.html?b&c"),))
    assert '<a href="a.html?b&amp;c">' in shown
    assert 'role="group" aria-labelledby' in shown


@pytest.mark.parametrize(("level", "tag"), [(-1, "h1"), (0, "h1"), (6, "h6"), (9, "h6")])
@pytest.mark.parametrize("interactive", [False, True])
def test_levels_of_headings_that_html_has(level: int, tag: str, interactive: bool) -> None:
    document = load("gpt2").show("rule", interactive=interactive).blocks
    shown = fragment(document, title="A", level=level)
    assert re.findall(r"<(h\d)>A</", shown) == [tag]


def test_a_fragment_has_what_sphinx_has(build: Build) -> None:
    """The same elements, classes, roles, labels and words, which one stylesheet is for."""
    directive = f"T\n=\n\n.. llm-size:: gpt2\n   :show: {', '.join(VIEWS)}\n"
    settings = {"llmsize_math": "mathml", "llmsize_diagram": "svg", "html_theme": "alabaster"}
    made = build({"index.rst": directive}, **settings).output("index.html")
    everything = parsed(HEADER_LINKS.sub("", made))
    (sphinx,) = (e for e in everything.iter("div") if "llmsize" in e.get("class", "").split())
    ours = parsed(page("", blocks("gpt2"))).find("body/main/div")
    assert structure(ours) == structure(sphinx)
    assert words(ours) == words(sphinx)


def structure(root: Any) -> Counter[tuple[str, ...]]:
    """Elements with their classes and attributes; docutils has a paragraph in each header."""
    return Counter(
        (
            each.tag,
            *sorted(name for name in each.get("class", "").split() if name.startswith("llmsize-")),
            *(each.get(name, "") for name in ("role", "title", "aria-label", "style", "hidden")),
        )
        for each in elements(root)
        if each.get("class") or each.tag not in {"p", "div"}
    )


def words(root: Any) -> list[str]:
    return " ".join(root.itertext()).split()


def small_page(name: str, views: tuple[str, ...]) -> Any:
    """Tree of a page with views of a small model."""
    return parsed(page(name, blocks(name, *views, config=SMALL)))


def kinds_of(root: Any) -> Counter[tuple[str, ...]]:
    """Elements with the names of their attributes.

    Lines of text in pictures are left out, as they depend on the length of the name.
    """
    return Counter(
        (each.tag, *sorted(map(str, each.attrib)))
        for each in elements(root)
        if each.tag.rpartition("}")[2] not in {"text", "tspan"}
    )


@cache
def kinds_of_a_plain_page(views: tuple[str, ...]) -> Counter[tuple[str, ...]]:
    return kinds_of(small_page("plain", views))


@pytest.mark.parametrize(
    ("name", "views"),
    [*((name, FAST_VIEWS) for name in hostile_names()), (SIGNS, tuple(VIEWS))],
)
def test_a_hostile_name_is_text(name: str, views: tuple[str, ...]) -> None:
    hostile, expected = small_page(name, views), kinds_of_a_plain_page(views)
    kinds = kinds_of(hostile)
    # a column folds, with lines in its place, if the name leaves it no space
    folded = ("p", "class", "hidden")
    assert {**kinds, folded: 0} == {**expected, folded: 0}
    assert not INVISIBLE.search("".join(hostile.itertext()).replace("\u2062", ""))
    visible = "".join(load(name, SMALL).name.split())
    assert visible in "".join(hostile.findtext("head/title").split())


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ((Variable("T"), " = 2,048 tokens"), "T_=_2,048_tokens"),
        (("171 TFLOPs in 13.5 GB or 12.6 GiB",), "171_TFLOPs in 13.5_GB or 12.6_GiB"),
        (("36.9 kB or 36.0 KiB", " in 1 kFLOPs"), "36.9_kB or 36.0_KiB in 1_kFLOPs"),
        (("7 GBs",), "7 GBs"),
        (("FLOPs per token",), "FLOPs per_token"),
        (
            ("Sizes of Llama 3 8B, Mistral 7B v0.1 and GPT-2",),
            "Sizes of Llama_3 8B, Mistral 7B v0.1 and GPT-2",
        ),
        ((Variable("F"), ": FFN dimension"), "F:_FFN dimension"),
        ((Name("Llama 3 8B"),), "Llama_3 8B"),
        ((Variable("T"), " × ", Variable("T"), " scores"), "T_×_T scores"),
        (("2 × [5, 64] × [64, 8]",), "2_×_[5, 64] ×_[64, 8]"),
        (("(2", Variable("L"), " + 1) × ", Variable("D")), "(2L_+_1) ×_D"),
        ((Variable("D"), " × ", Variable("F"), " + bias ", Variable("F")), "D_×_F +_bias_F"),
        ((Variable("D"), " + 2", Variable("F"), " − ", Variable("V")), "D +_2F −_V"),
        (("Exponent of ", Variable("D")), "Exponent of_D"),
        (("Effective exponent, 1× to 2×",), "Effective exponent, 1×_to_2×"),
        ((Muted("4 + 4 bytes, 32 × 8"),), "4_+_4_bytes, 32_×_8"),
        (("queries × keys",), "queries × keys"),
        ((with_mark("13.5 GB", 0),), with_mark("13.5 GB", 0)),
    ],
)
def test_no_line_breaks_before_units_and_at_signs(line: Line, shown: str) -> None:
    text = re.sub("<[^<>]*>", "", "".join(inlines(line)))
    assert text.replace(NO_BREAK, "_") == shown


def test_no_line_breaks_in_short_sums_in_parentheses() -> None:
    """Before the sign after a sum; a longer sum breaks before its signs."""
    d, f = Variable("D"), Variable("F")
    line: Line = (d, "·(4", d, " + 3", f, ") + 2", d)
    text = re.sub("<[^<>]*>", "", "".join(inlines(line)))
    assert text.replace(NO_BREAK, "_") == "D·(4D_+_3F) +_2D"
    long = (d, "·(", *(piece for _ in range(8) for piece in (d, " + ")), f, ")")
    text = re.sub("<[^<>]*>", "", "".join(inlines(long)))
    assert text.count(" +") == 8


def test_no_line_breaks_at_the_hyphens_of_short_names() -> None:
    (text,) = inlines((Name("DeepSeek-V3 base a-very-long-name"),))
    assert text == '<span class="llmsize-unbroken">DeepSeek-V3</span> base a-very-long-name'


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (joined(("with ", Variable("D"), "², those")), "with <.>D</.><. upright>²</.>, those"),
        (joined((Variable("c"), "·", Variable("D"), "²")), "<.>c</.>·<.>D</.><. upright>²</.>"),
        (joined(("10", "²")), "10²"),
    ],
)
def test_exponents_are_set_as_their_symbols(line: Line, shown: str) -> None:
    text = "".join(inlines(line)).replace('span class="llmsize-symbol', ".").replace("span", ".")
    assert text.replace("llmsize-", "").replace('"', "") == shown


def test_text_and_attributes_of_elements() -> None:
    inner = element("b", "<i>")
    made = element("a", inner, " & ", class_="x", aria_label="\"'>", title="")
    assert made == '<a class="x" aria-label="&quot;&#x27;&gt;"><b>&lt;i&gt;</b> &amp; </a>'
