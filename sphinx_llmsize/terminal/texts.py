"""Texts with styles; control characters in names become visible escapes."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from sphinx_llmsize.escaping import visible
from sphinx_llmsize.inline import Bar, Drawn, Inline, Line, Muted, Variable
from sphinx_llmsize.monospace import bar_text

ACCENT, MUTED, BOLD, SYMBOL = "green", "dim", "bold", "italic"
"""Styles, in the terminal's own colours, which are legible on light and dark backgrounds."""
GAP = "   "
"""Space between items in a line."""
_HALVES = ("", "╸")
"""Ends of a bar: nothing, or half a character."""


def text(content: str, style: str = "") -> Text:
    """A text, with control characters as escapes."""
    return Text(visible(content), style)


def line(content: Line, style: str = "") -> Text:
    """A line of inline content, without text that refers to a drawing."""
    styled = Text(style=style)
    for piece in content:
        if not isinstance(piece, Drawn):
            styled.append_text(_inline(piece))
    return styled


def lines(content: Iterable[Text]) -> Text:
    """Texts below each other."""
    return Text("\n").join(content)


def side_by_side(items: Iterable[Text], width: int) -> Text:
    """Items side by side, in lines that are at most so wide and break only between items."""
    rows: list[Text] = []
    for item in items:
        if rows and rows[-1].cell_len + len(GAP) + item.cell_len <= width:
            rows[-1].append(GAP).append_text(item)
        else:
            rows.append(item.copy())
    return lines(rows)


def bar(fraction: float) -> Text:
    """A bar in steps of half a character, followed by spaces up to the width of a full bar."""
    return Text(bar_text(fraction, "━", _HALVES), ACCENT)


def _inline(piece: Inline) -> Text:
    if isinstance(piece, Variable):
        return text(str(piece), SYMBOL)
    if isinstance(piece, Bar):
        return Text(" ").append_text(bar(piece.fraction))
    return text(str(piece), MUTED if isinstance(piece, Muted) else "")
