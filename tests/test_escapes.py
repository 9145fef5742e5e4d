"""Escaping: any text in the output of a template remains text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Derivation, Formula
from sphinx_llmsize.charts import Curves, StackedBars
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.drawing import draw
from sphinx_llmsize.drawing.drawn_pipeline import draw_pipeline
from sphinx_llmsize.escaping import (
    escape_latex,
    escape_markdown,
    escape_mermaid,
    escape_xml,
)
from sphinx_llmsize.hosts.markdown import to_markdown
from sphinx_llmsize.html.standalone_page import page
from sphinx_llmsize.templating import render
from sphinx_llmsize.views import document
from sphinx_llmsize.views.view_options import ViewOptions

SPECIAL = "\x07</a>&\"' {}$\\#_*`|[]-->"
PLAIN = ("plainword" * 3)[: len(SPECIAL)]  # equally long, so that lines break at the same places
TEXTS = (
    *("title", "description", "text", "tip", "label", "meaning", "lines", "output", "caption"),
    *("base", "subscript"),
)
"""Fields of blocks and pictures with arbitrary text."""
Escape = Callable[[str], str]


def with_texts(word: str, value: Any) -> Any:
    """The value with this word in place of all texts in it."""
    if isinstance(value, tuple):
        return tuple(with_texts(word, item) for item in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    own = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
    changed = {
        name: _replaced(word, v) if name in TEXTS else with_texts(word, v)
        for name, v in own.items()
    }
    return replace(value, **changed)


def _replaced(word: str, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_replaced(word, item) for item in value)
    return word if value and isinstance(value, str) else with_texts(word, value)


def blocks(kind: type[Any]) -> Any:
    views = ("table", "diagram", "composition", "scaling")
    shown = document(load("llama-3-8b"), views, ViewOptions())
    return next(block for block in shown if isinstance(block, kind))


def drawn(template: str, sketch: Any, word: str) -> str:
    links = {box.box.id: word for box in getattr(sketch, "boxes", ())}
    context = {"id": word, "background": word, "links": links, "titles": {}}
    return render(f"llmsize/{template}", picture=with_texts(word, sketch), **context)


def as_markdown(word: str) -> str:
    shown = document(load("llama-3-8b"), ("table", "formula", "composition"), ViewOptions())
    prose = tuple(block for block in shown if not isinstance(block, (Derivation, Formula)))
    return to_markdown(with_texts(word, prose), heading=word)


def as_html(word: str) -> str:
    shown = document(load("llama-3-8b"), ("table", "formula", "shapes"), ViewOptions())
    return page(word, with_texts(word, shown))


WRITTEN: dict[str, tuple[Callable[[str], str], Escape]] = {
    "bars.svg": (lambda w: drawn("chart.svg.jinja", draw(blocks(StackedBars)), w), escape_xml),
    "curves.svg": (lambda w: drawn("chart.svg.jinja", draw(blocks(Curves)), w), escape_xml),
    "chart.tex": (lambda w: drawn("chart.tex.jinja", draw(blocks(StackedBars)), w), escape_latex),
    "diagram.svg": (
        lambda w: drawn("diagram.svg.jinja", draw_pipeline(blocks(Diagram)), w),
        escape_xml,
    ),
    "diagram.tex": (
        lambda w: drawn("diagram.tex.jinja", draw_pipeline(blocks(Diagram)), w),
        escape_latex,
    ),
    "diagram.mmd": (
        lambda w: render(
            "llmsize/diagram.mmd.jinja", diagram=with_texts(w, blocks(Diagram)), coloured=False
        ),
        escape_mermaid,
    ),
    "page.md": (as_markdown, escape_markdown),
    "page.html": (as_html, escape_xml),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_every_text_is_escaped(name: str) -> None:
    write, escape = WRITTEN[name]
    plain = write(PLAIN)
    assert plain.count(PLAIN) > 5
    assert write(SPECIAL) == plain.replace(PLAIN, escape(SPECIAL))


@pytest.mark.parametrize(
    ("escape", "text", "written"),
    [
        (escape_latex, '"Δ ⊕', r"\textquotedblright{}\ensuremath{\Delta} \ensuremath{\oplus}"),
        (escape_latex, "{a_b} 50% -- \\", r"\{a\_b\} 50\% {-}{-} \textbackslash{}"),
        (escape_markdown, "*a*|<b>$", r"\*a\*&#124;&lt;b&gt;＄"),
        (
            escape_markdown,
            ":e-1: ==m== ++k++",
            "&#58;e-1: &#61;&#61;m&#61;&#61; &#43;&#43;k&#43;&#43;",
        ),
        (escape_markdown, "a: b = 2 + 3", "a: b = 2 + 3"),
        (escape_mermaid, 'a "b', "a#32;#34;b"),
        (escape_xml, '<a b="c">&\'', "&lt;a b=&quot;c&quot;&gt;&amp;&#x27;"),
    ],
)
def test_how_a_text_is_escaped(escape: Escape, text: str, written: str) -> None:
    assert escape(text) == written


@pytest.mark.parametrize("escape", [escape_latex, escape_markdown, escape_mermaid, escape_xml])
@pytest.mark.parametrize("unseen", ["\x07", "\x85", "\u202e", "\ud800", "\ufffe"])
def test_invisible_characters_are_removed(unseen: str, escape: Escape) -> None:
    assert escape(f"a{unseen}b") == "ab"
