"""Marks around texts of interactive pages, which a script finds and replaces.

A mark begins with an invisible character (of a private-use plane), whose code point gives the
position of the text in a list of texts. The text itself follows, and another invisible character
ends the mark. Hosts that write HTML turn marks into attributes; other documents have none.
"""

from __future__ import annotations

import re

FIRST, LAST = 0xF0000, 0xFFFFD
"""Code points of the characters that begin a mark, from position 0 on."""
END = "\U00100000"
"""Character that ends a mark."""
BEGIN = f"[{chr(FIRST)}-{chr(LAST)}]"
"""Pattern of the character that begins a mark."""
MARK = re.compile(f"({BEGIN})([^{END}]*){END}")
"""A mark: the character that begins it, and its text."""
_CHARACTERS = re.compile(f"[{chr(FIRST)}-{chr(LAST)}{END}]")
"""A character that begins or ends a mark."""


def with_mark(text: str, position: int) -> str:
    """The text within a mark, which refers to this position in the list of texts."""
    return f"{chr(FIRST + position)}{text}{END}"


def text_position(mark: re.Match[str]) -> int:
    """Position in the list of texts that a mark, a match of :data:`MARK`, refers to."""
    return ord(mark[1]) - FIRST


def has_marks(text: str) -> bool:
    """True if a part of the text is within a mark."""
    return bool(_CHARACTERS.search(text))


def without_marks(text: str) -> str:
    """The text without the characters that begin and end marks."""
    return _CHARACTERS.sub("", text)
