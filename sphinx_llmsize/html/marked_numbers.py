"""Marked texts in HTML as attributes, by which a script finds and replaces them.

An element with a number as its only content has the number's position in ``data-llmsize-number``.
Within other text, a number gets an element of its own. A text that can't contain elements, and an
attribute, are repeated with their marks, in ``data-llmsize-text`` and ``data-llmsize-style``.
"""

from __future__ import annotations

import re

from sphinx_llmsize.html.markup import Markup
from sphinx_llmsize.marks import MARK, has_marks, position_of, without_marks

NUMBER, TEXT = "data-llmsize-number", "data-llmsize-text"
_TAGS = re.compile(r"(<[^<>]*>)")
_ANNOTATION = re.compile(r"<annotation [^<>]*>[^<>]*</annotation>")
_ATTRIBUTE = re.compile(r' ([\w-]+)="([^"]*)"')
_WITHOUT_ELEMENTS = ("title", "desc")
"""Elements of SVG whose content is text."""


def with_positions(html: str) -> Markup:
    """HTML with attributes in place of marks.

    Annotations of formulas in TeX are left out, since nothing would update them.
    """
    html = _ANNOTATION.sub("", html)
    pieces = _TAGS.split(html)  # text and tags in turn
    in_svg = 0
    for at in range(1, len(pieces), 2):
        tag = pieces[at]
        in_svg += tag.startswith("<svg") - tag.startswith("</svg")
        text = pieces[at + 1]
        if has_marks(tag):
            tag = _with_attributes(tag)
        if has_marks(text):
            only = MARK.fullmatch(text)
            closes = pieces[at + 2] if at + 2 < len(pieces) else ""
            if tag.startswith(tuple(f"<{name}" for name in _WITHOUT_ELEMENTS)):
                tag = f'{tag[:-1]} {TEXT}="{text}">'
                text = without_marks(text)
            elif only and not tag.startswith("</") and closes.startswith("</"):
                tag = f'{tag[:-1]} {NUMBER}="{position_of(only)}">'
                text = only[2]
            else:
                text = _with_elements(text, "tspan" if in_svg else "span")
        pieces[at], pieces[at + 1] = tag, text
    return Markup("".join(pieces))


def _with_elements(text: str, name: str) -> str:
    """The text with an element for each number."""
    return MARK.sub(lambda mark: f'<{name} {NUMBER}="{position_of(mark)}">{mark[2]}</{name}>', text)


def _with_attributes(tag: str) -> str:
    """A tag whose attributes with numbers are there twice, plain and with marks."""

    def twice(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if not has_marks(value):
            return found[0]
        return f' {name}="{without_marks(value)}" data-llmsize-{name}="{value}"'

    return _ATTRIBUTE.sub(twice, tag)
