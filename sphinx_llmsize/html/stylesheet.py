"""The stylesheet of fragments, as a file, as text and as an element."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from sphinx_llmsize.html.markup import Markup, element

STATIC = Path(__file__).parent / "static"
"""Folder that contains only the stylesheet."""
STYLESHEET = "llmsize.css"
"""Name of the stylesheet's file."""
_COMMENT_OR_SPACE = re.compile(r"/\*.*?\*/|(?<=[;{},:])\s+|\s+(?=[{}])", re.DOTALL)
"""A comment, or white space without a meaning in CSS."""


@cache
def stylesheet() -> str:
    """Text of the stylesheet, which needs no other file.

    Its colours are dark if the attribute ``data-theme`` of the page's ``html`` or ``body`` is
    ``dark``, or ``auto`` and the reader prefers dark pages. They also follow the colour schemes of
    Material for MkDocs, Zensical and Bootstrap.
    """
    return (STATIC / STYLESHEET).read_text("utf-8")


@cache
def style_element() -> Markup:
    """The stylesheet as an element ``style``, without comments and line breaks."""
    compact = " ".join(_COMMENT_OR_SPACE.sub("", stylesheet()).split())
    return element("style", Markup(compact))
