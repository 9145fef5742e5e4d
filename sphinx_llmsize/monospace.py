"""Widths and bars of text in fixed-width fonts."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

from sphinx_llmsize.marks import without_marks

BAR_WIDTH = 10
"""Length of a full bar, in characters."""


def bar_text(fraction: float, full: str, parts: Sequence[str], empty: str = " ") -> str:
    """``██▍░░░░░░░``: a fraction from 0 to 1 as a bar, with at least one step if it isn't 0.

    Args:
        fraction: the fraction.
        full: a full block, one character.
        parts: texts for the block at the end of the bar, from empty to nearly full.
        empty: character that fills the rest of :data:`BAR_WIDTH`.
    """
    steps = round(fraction * BAR_WIDTH * len(parts))
    if fraction:
        steps = max(steps, 1)
    whole, rest = divmod(steps, len(parts))
    return (full * whole + parts[rest]).ljust(BAR_WIDTH, empty)


def monospace_width(text: str) -> int:
    """Columns of a text in a fixed-width font; wide (East Asian) characters take two."""
    text = without_marks(text)
    return len(text) + sum(east_asian_width(character) in {"W", "F"} for character in text)
