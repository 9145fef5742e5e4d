"""Estimated widths of texts; the actual fonts depend on the reader's browser."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from sphinx_llmsize.drawing.picture import FONT_SIZE
from sphinx_llmsize.marks import without_marks
from sphinx_llmsize.typography import NO_BREAK, typographic

NARROW_CHARACTERS = frozenset(f"fijlrtI.,:;|!'’()[]/- \u202f{NO_BREAK}")
WIDE_CHARACTERS = frozenset("mwMW@%&×+<>=~")
MAX_LINES = 4
"""Maximum number of lines of a wrapped text."""
ELLIPSIS = "…"


@lru_cache(maxsize=4096)
def text_width(text: str) -> float:
    """Upper estimate of the width of a line in common sans-serif fonts."""
    return FONT_SIZE * sum(map(_em, without_marks(text)))


def _em(character: str) -> float:
    """Width of a character relative to the font size."""
    if unicodedata.combining(character):
        return 0
    if character in NARROW_CHARACTERS:
        return 0.38
    if character in WIDE_CHARACTERS:
        return 0.92
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return 1.05
    return 0.72 if character.isupper() else 0.62


def wrapped(text: str, width: float) -> tuple[str, ...]:
    """Wrap a text to a width; an ellipsis replaces what follows after :data:`MAX_LINES` lines.

    Lines don't break before units, and not within ``per token``.
    """
    lines: list[str] = []
    line = ""
    for word in typographic(text).split(" "):
        joined = f"{line} {word}".strip()
        if text_width(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *full_lines, line = _pieces(word, width)
        lines += full_lines
    lines.append(line)
    if len(lines) > MAX_LINES:
        last = f"{lines[MAX_LINES - 1]} {ELLIPSIS}"
        lines = [*lines[: MAX_LINES - 1], cut(last, width)]
    return tuple(line.replace(NO_BREAK, " ") for line in lines)


def cut(text: str, width: float) -> str:
    """The text, shortened with an ellipsis if it does not fit the width."""
    if text_width(text) <= width:
        return text
    while text and text_width(text + ELLIPSIS) > width:
        text = text[:-1]
    return text + ELLIPSIS


def _pieces(word: str, width: float) -> list[str]:
    """Split a word into pieces that fit a width."""
    pieces = [""]
    for character in word:
        if text_width(pieces[-1] + character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces
