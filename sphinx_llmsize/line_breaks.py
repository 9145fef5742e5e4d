"""Line breaks in formulas, for boxes that are too narrow for a whole formula."""

from __future__ import annotations

from sphinx_llmsize.inline import Line, Variable

NO_BREAK = "\u00a0"
"""A space where a line does not break."""
UNBREAKABLE = {"× ": f"×{NO_BREAK}", ", ": f",{NO_BREAK}", " + ": f"{NO_BREAK}+{NO_BREAK}"}
"""Texts in formulas, and the same texts with no-break spaces."""


def with_breaks(line: Line) -> Line:
    """The line with no-break spaces, so that its formulas break only before a ×.

    ``D × (H + 2·H_kv)·d_h`` may become ``D`` and ``× (H + 2·H_kv)·d_h``. A line without symbols
    stays the same.
    """
    if not any(isinstance(piece, Variable) for piece in line):
        return line
    return tuple(_without_breaks(piece) if isinstance(piece, str) else piece for piece in line)


def _without_breaks(text: str) -> str:
    """The text with no-break spaces in place of the spaces in :data:`UNBREAKABLE`."""
    for old, new in UNBREAKABLE.items():
        text = text.replace(old, new)
    return text
