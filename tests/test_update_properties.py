"""``llmsize update`` on random files: bytes outside regions never change, twice changes nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sphinx_llmsize.directives.registry import DIRECTIVES
from sphinx_llmsize.escaping import escape_markdown
from sphinx_llmsize.markdown_flavours import FLAVOURS, GITHUB
from sphinx_llmsize.update.comments import comments_of
from sphinx_llmsize.update.regions import regions_of
from sphinx_llmsize.update.rewrite import rewrite
from sphinx_llmsize.update.sites import Site

INLINE = "<!-- llm-size: gpt2 -->old<!-- /llm-size -->"
BLOCK = "<!-- llm-size: gpt2 show=rule -->\n{}<!-- /llm-size -->"
PIECES = (
    *("\n", "\n\n", "\r\n", "\r", " ", "    ", "\t", "> ", "- ", "1. ", "# ", " #", "---\n"),
    *("```\n", "~~~\n", "````", "`", "``", "\\", "<", "-->", "<!--", "<!-- a -->", "<pre>"),
    *("<script>\n", "</script>", "<div>\n", "[a]: b", '"', "![", "](c)", "*", "| a |", "|-|"),
    *("é", "\u2028", "\x0b", "\x00", "text", "{{", INLINE, BLOCK.format(""), BLOCK.format("    ")),
)
pages = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def outside(text: str) -> list[str]:
    """The text outside the regions, with the markers."""
    found, at = [], 0
    for region in regions_of(text, DIRECTIVES)[0]:
        start, end = region.start.comment, region.end.comment
        found.append(text[at : start.end])
        at = end.start
    return [*found, text[at:]]


@given(pages, st.sampled_from(sorted(FLAVOURS)))
def test_only_regions_change(text: str, flavour: str) -> None:
    site = Site(FLAVOURS[flavour])
    once = rewrite(text, Path("/a.md"), site)
    if once.errors:
        assert once.text == text
        return
    assert outside(once.text) == outside(text)
    again = rewrite(once.text, Path("/a.md"), site)
    assert (again.errors, again.stale, again.text) == ((), 0, once.text)


@given(pages)
def test_every_comment_has_its_place(text: str) -> None:
    for comment in comments_of(text):
        written = text[comment.start : comment.end]
        assert written.startswith("<!--")
        assert text[: comment.start].replace("\0", "\ufffd").endswith(comment.prefix)


MINE = "hidden_dim: 64\nnum_layers: 2\nnum_heads: 4\nvocab_size: 100\n"
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "{{ site.secret }}",
    "{% include secret %}",
    "{{< shortcode >}}",
    "{{% shortcode %}}",
    "{process.env}",
    "$$\\href{javascript:alert(1)}{x}$$",
    "\\(\\href{javascript:alert(1)}{x}\\)",
    "[a](javascript:alert(1))",
    "![a](//evil.example)",
    "https://evil.example www.evil.example a@evil.example",
    "<!-- /llm-size -->",
    "`code` | cell | ~~gone~~ ^up^ *b* _i_ # h",
    "&lt;b&gt;",
    "```",
    "[^1] [@cite] @cite",
)
MATH = re.compile(r"^(?:\$\$\n.*?^\$\$$|(`{3,})(?:math|text)\n.*?^\1$)", re.DOTALL | re.MULTILINE)
"""Displayed math: a code block, or what kramdown, Goldmark and Pandoc take for one."""
MERMAID = re.compile(r"^```\{mermaid\}$|(?<=\w)@(?=\{ (?:shape|curve): |-\.+- |--> )", re.MULTILINE)
"""Braces and signs that diagrams need."""
PAPER = re.compile(r"\[[A-Z][a-z]+ et al\. \d{4}\]\(https://arxiv\.org/abs/[\d.]+\)")
"""Link to a paper, in any flavour."""
ACTIVE = ("<script", "<img", "<a ", "href=", "{{", "{%", "{process", "$", "\\(", "://", "www.", "@")


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("flavour", FLAVOURS.values(), ids=FLAVOURS)
def test_names_stay_inert(name: str, flavour: object) -> None:
    """Nothing of a name is markup of any flavour: all of its active characters are replaced."""
    shown = escape_markdown(name)
    for active in ("<", "{", "}", "$", "://", "www.", "@", "^", "~", "|"):
        assert active not in shown
    html = MarkdownIt("commonmark").render(shown)
    assert "<" not in html.removeprefix("<p>").removesuffix("</p>\n")


@pytest.mark.parametrize("name", [name for name in HOSTILE if "-->" not in name])
def test_hostile_names_in_a_page(name: str) -> None:
    """Names and labels stay text in tables, formulas, diagrams and captions."""
    for flavour in FLAVOURS.values():
        quoted = name.replace("'", "")
        text = (
            f"<!-- llm-size: {name.replace('=', '')} "
            f"caption='{quoted}' labels='total: \"{quoted}\"'\n"
            f"{MINE}-->\n<!-- /llm-size -->\n"
        )
        result = rewrite(text, Path("/a.md"), Site(flavour))
        if result.errors:  # such a label is refused
            continue
        made = result.text.partition("-->")[2].rpartition("<!--")[0]
        prose = PAPER.sub("", MERMAID.sub("", MATH.sub("", made)))
        for active in ACTIVE:
            assert active not in prose, (flavour.name, active)
        for math in (found[0] for found in MATH.finditer(made)):
            if flavour.math and flavour.math[0] == "$$":  # code blocks are inert
                assert not re.search(r"\{[{%#]|<[a-z/!?]", math), flavour.name
            assert not re.search(r"\\href|\$", math.replace("$$", "")), flavour.name


def test_names_in_a_page_are_readable() -> None:
    made = rewrite(
        "<!-- llm-size: a_b <c> {d} show=table\n"
        "hidden_dim: 64\nnum_layers: 2\nnum_heads: 4\nvocab_size: 100\n-->\n<!-- /llm-size -->\n",
        Path("/a.md"),
        Site(GITHUB),
    ).text
    assert "**a\\_b &lt;c&gt; &#123;d&#125;: 111,104 parameters** (111K)" in made
