"""Estimated widths of texts, since the fonts of the page depend on the reader."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from sphinx_llmsize.drawing.picture import FONT_SIZE

NARROW, WIDE = frozenset("fijlrtI.,:;|!'()[]/- "), frozenset("mwMW@%&×+<>=~")
MAX_LINES = 4
ELLIPSIS = "…"


@lru_cache(maxsize=4096)
def text_width(text: str) -> float:
    """The width of a line; common sans-serif fonts are not wider."""
    return FONT_SIZE * sum(map(_em, text))


def _em(character: str) -> float:
    if unicodedata.combining(character):
        return 0
    if character in NARROW:
        return 0.38
    if character in WIDE:
        return 0.92
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return 1.05
    return 0.72 if character.isupper() else 0.62


def wrapped(text: str, width: float, most: int = MAX_LINES) -> tuple[str, ...]:
    """A text in lines of at most a width; the rest after the last line is cut off."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}".strip()
        if text_width(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *whole, line = _pieces(word, width)
        lines += whole
    lines.append(line)
    if len(lines) > most:
        lines = [*lines[: most - 1], cut(f"{lines[most - 1]} {ELLIPSIS}", width)]
    return tuple(lines)


def cut(text: str, width: float) -> str:
    """A text that fits a width, if necessary cut off with an ellipsis."""
    if text_width(text) <= width:
        return text
    while text and text_width(text + ELLIPSIS) > width:
        text = text[:-1]
    return text + ELLIPSIS


def _pieces(word: str, width: float) -> list[str]:
    """A word in pieces that fit a width."""
    pieces = [""]
    for character in word:
        if text_width(pieces[-1] + character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces
