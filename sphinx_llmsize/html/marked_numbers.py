"""Attributes in place of marks, by which a script finds the numbers in HTML.

- An element whose whole content is a number gets ``data-llmsize-number``, the number's position in
  the list of texts. Within other text, each number gets an element of its own with this attribute.
- The content of ``title`` and ``desc``, which can't contain elements, is repeated with its marks in
  ``data-llmsize-text``, and that of ``annotation``, a formula in TeX, in ``data-llmsize-tex``.
- An attribute such as ``style`` is repeated with its marks as ``data-llmsize-style``.
"""

from __future__ import annotations

import re

from sphinx_llmsize.html.markup import Markup
from sphinx_llmsize.marks import MARK, has_marks, text_position, without_marks

NUMBER, TEXT, TEX = "data-llmsize-number", "data-llmsize-text", "data-llmsize-tex"
"""Attributes for a number, for text with marks, and for TeX with marks."""
_TAGS = re.compile(r"(<[^<>]*>)")
"""A tag; it is a group, so that ``split()`` returns tags too."""
_ATTRIBUTE = re.compile(r' ([\w-]+)="([^"]*)"')
"""Name and value of an attribute."""
_TEXT_ELEMENTS = {"<title": TEXT, "<desc": TEXT, "<annotation": TEX}
"""Start of the tags of elements that contain only text, with the attribute that repeats it."""


def with_positions(html: str) -> Markup:
    """HTML with attributes in place of marks."""
    pieces = _TAGS.split(html)  # text, tag, text, tag, …, text
    svg_depth = 0
    for index in range(1, len(pieces), 2):
        tag, text = pieces[index], pieces[index + 1]
        next_tag = pieces[index + 2] if index + 2 < len(pieces) else ""
        if tag.startswith("<svg"):
            svg_depth += 1
        elif tag.startswith("</svg"):
            svg_depth -= 1
        if has_marks(tag):
            tag = _with_attributes(tag)
        if has_marks(text):
            tag, text = _replace_marks(tag, text, next_tag, is_in_svg=svg_depth > 0)
        pieces[index], pieces[index + 1] = tag, text
    return Markup("".join(pieces))


def _replace_marks(tag: str, text: str, next_tag: str, *, is_in_svg: bool) -> tuple[str, str]:
    """A text with attributes in place of marks, and the tag before it, which may get one."""
    for start, attribute in _TEXT_ELEMENTS.items():
        if tag.startswith(start):
            return f'{tag[:-1]} {attribute}="{text}">', without_marks(text)
    number = MARK.fullmatch(text)
    is_whole_content = not tag.startswith("</") and next_tag.startswith("</")
    if number and is_whole_content:
        return f'{tag[:-1]} {NUMBER}="{text_position(number)}">', number[2]
    return tag, _with_elements(text, "tspan" if is_in_svg else "span")


def _with_elements(text: str, name: str) -> str:
    """The text with an element of this name for each number."""
    return MARK.sub(
        lambda mark: f'<{name} {NUMBER}="{text_position(mark)}">{mark[2]}</{name}>', text
    )


def _with_attributes(tag: str) -> str:
    """A tag that repeats each attribute with marks: plain, and with marks in another attribute."""

    def repeat(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if not has_marks(value):
            return found[0]
        return f' {name}="{without_marks(value)}" data-llmsize-{name}="{value}"'

    return _ATTRIBUTE.sub(repeat, tag)
