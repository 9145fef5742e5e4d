"""Texts with styles, in which control characters of names become visible escapes."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from sphinx_llmsize.escaping import visible
from sphinx_llmsize.formats import bar_text
from sphinx_llmsize.inline import Bar, Drawn, Inline, Line, Muted, Variable

ACCENT, MUTED, BOLD, SYMBOL = "green", "dim", "bold", "italic"
"""Styles, in the terminal's own colours, which are legible on light and dark backgrounds."""
GAP = "   "
"""Space between items in a line."""
_HALVES = ("", "╸")
"""End of a bar: nothing, or half a character."""


def text(content: str, style: str = "") -> Text:
    """A text, with control characters as escapes."""
    return Text(visible(content), style)


def line(content: Line, style: str = "", *, drawn: bool = False) -> Text:
    """A line of inline content; text that refers to a drawing is left out unless ``drawn``."""
    found = Text(style=style)
    for piece in content:
        if drawn or not isinstance(piece, Drawn):
            found.append_text(_inline(piece))
    return found


def lines(content: Iterable[Text]) -> Text:
    """Texts below each other."""
    return Text("\n").join(content)


def filled(items: Iterable[Text], width: int) -> Text:
    """Items side by side in lines of a width, which break between items only."""
    shown: list[Text] = []
    for item in items:
        if shown and shown[-1].cell_len + len(GAP) + item.cell_len <= width:
            shown[-1].append(GAP).append_text(item)
        else:
            shown.append(item.copy())
    return lines(shown)


def bar(fraction: float) -> Text:
    """A bar in steps of half a character, followed by spaces up to the width of a full bar."""
    return Text(bar_text(fraction, "━", _HALVES), ACCENT)


def _inline(piece: Inline) -> Text:
    if isinstance(piece, Variable):
        return text(str(piece), SYMBOL)
    if isinstance(piece, Bar):
        return Text(" ").append_text(bar(piece.fraction))
    return text(str(piece), MUTED if isinstance(piece, Muted) else "")
