"""Marks around texts that a page may replace: invisible characters that hosts of HTML read.

A mark is a character of a private plane that stands for a position in a list of texts, the text,
and another character. Marks are only in documents of interactive pages.
"""

from __future__ import annotations

import re

FIRST, LAST = 0xF0000, 0xFFFFD
"""Characters that begin a mark; the first stands for position 0."""
END = "\U00100000"
"""The character that ends a mark."""
BEGIN = f"[{chr(FIRST)}-{chr(LAST)}]"
"""Pattern of the character that begins a mark."""
MARK = re.compile(f"({BEGIN})([^{END}]*){END}")
"""A mark: the character that begins it, and its text."""
_CHARACTERS = re.compile(f"[{chr(FIRST)}-{chr(LAST)}{END}]")


def marked(text: str, position: int) -> str:
    """The text with a mark around it."""
    return f"{chr(FIRST + position)}{text}{END}"


def position_of(mark: re.Match[str]) -> int:
    """The position of a mark that :data:`MARK` has found."""
    return ord(mark[1]) - FIRST


def plain(text: str) -> str:
    """The text without marks."""
    return _CHARACTERS.sub("", text)
