"""Lines of text in which symbols have their indices below: ``d_h`` as readers know it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sphinx_llmsize.drawing.lettering import text_width

_INDEX = re.compile(r"(?<=[A-Za-z])_([A-Za-z0-9]+)")
INDEX_SIZE = 0.75
"""Of the size of the text."""
BOLD = 1.1
"""How much wider a bold letter is at most."""


@dataclass(frozen=True)
class Run:
    """A piece of a line; those that are lowered and those that are not take turns."""

    text: str
    lowered: bool = False


@lru_cache(maxsize=4096)
def runs(text: str) -> tuple[Run, ...]:
    """The pieces of a line."""
    # split at a pattern with one group: what it found is every second piece
    pieces = (Run(piece, bool(place % 2)) for place, piece in enumerate(_INDEX.split(text)))
    return tuple(run for run in pieces if run.text)


def line_width(line: tuple[Run, ...], *, bold: bool = False) -> float:
    """The width of a line."""
    width = sum(text_width(run.text) * (INDEX_SIZE if run.lowered else 1) for run in line)
    return width * BOLD if bold else width
