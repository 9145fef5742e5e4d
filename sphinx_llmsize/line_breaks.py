"""Line breaks in formulas, for boxes that are too narrow for a whole formula."""

from __future__ import annotations

from sphinx_llmsize.inline import Line, Variable

NO_BREAK = "\u00a0"
"""A space where a line does not break."""
BREAK = "\u200b"
"""A place without a space where a line may break."""
MAX_FACTOR = 16
"""Number of characters of a sum in brackets that fits in a narrow box."""


def with_breaks(line: Line) -> Line:
    """The line, in which formulas only break before a × and after a · beside a bracket.

    ``D × (H + 2·H_kv)·d_h`` may become ``D``, ``× (H + 2·H_kv)·`` and ``d_h``. Long sums in
    brackets also break before a +. A line without symbols stays the same.
    """
    if not any(isinstance(piece, Variable) for piece in line):
        return line
    length = len("".join(map(str, line)).partition("(")[2].partition(")")[0])
    before_plus = " " if length > MAX_FACTOR else NO_BREAK
    replacements = {
        "× ": f"×{NO_BREAK}",
        ", ": f",{NO_BREAK}",
        " + ": f"{before_plus}+{NO_BREAK}",
        ")·": f")·{BREAK}",
        "·(": f"·{BREAK}(",
    }
    return tuple(_replaced(p, replacements) if isinstance(p, str) else p for p in line)


def _replaced(text: str, replacements: dict[str, str]) -> str:
    for old, new in replacements.items():
        text = text.replace(old, new)
    return text
