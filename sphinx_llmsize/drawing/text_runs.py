"""Lines of text with subscripts: ``d_h`` has the subscript h."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sphinx_llmsize.drawing.text_width import text_width

_SUBSCRIPT = re.compile(r"(?<=[A-Za-z])_([A-Za-z0-9]+)")
SUBSCRIPT_SIZE = 0.75
"""Size of a subscript relative to the text."""
BOLD = 1.1
"""Maximum width of bold text relative to normal text."""


@dataclass(frozen=True)
class Run:
    """A piece of a line: normal text or a subscript."""

    text: str
    is_subscript: bool = False


@lru_cache(maxsize=4096)
def runs(text: str) -> tuple[Run, ...]:
    """Split a line into normal text and subscripts."""
    # split() returns the pattern's group, a subscript, as every second piece
    pieces = enumerate(_SUBSCRIPT.split(text))
    return tuple(Run(piece, is_subscript=index % 2 == 1) for index, piece in pieces if piece)


def line_width(line: tuple[Run, ...], *, bold: bool = False) -> float:
    """The width of a line."""
    width = sum(text_width(run.text) * (SUBSCRIPT_SIZE if run.is_subscript else 1) for run in line)
    return width * BOLD if bold else width
