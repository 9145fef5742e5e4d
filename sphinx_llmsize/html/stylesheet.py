"""The stylesheet of fragments, as a file and as text."""

from __future__ import annotations

from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
"""Folder that contains only the stylesheet."""
STYLESHEET = "llmsize.css"


@cache
def stylesheet() -> str:
    """Text of the stylesheet, which needs no other file.

    Its colours are dark if the attribute ``data-theme`` of the page's ``html`` or ``body`` is
    ``dark``, or ``auto`` and the reader prefers dark pages. They also follow the colour schemes of
    Material for MkDocs, Zensical and Bootstrap.
    """
    return (STATIC / STYLESHEET).read_text("utf-8")
