"""Lines of text with italic symbols and subscripts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from sphinx_llmsize.drawing.text_width import text_width
from sphinx_llmsize.inline import Line, Variable

SUBSCRIPT_SIZE = 0.75
"""Size of a subscript relative to the text."""
BOLD = 1.1
"""Maximum width of bold text relative to normal text."""


@dataclass(frozen=True)
class Run:
    """A piece of a line: normal text, a symbol in italics, or a subscript."""

    text: str
    is_symbol: bool = False
    is_subscript: bool = False


def runs(line: Line) -> tuple[Run, ...]:
    """Normal text, symbols and subscripts of a line of text."""
    found: list[Run] = []
    for piece in line:
        if isinstance(piece, Variable):
            found.append(Run(piece.base, is_symbol=True))
            found.append(Run(piece.subscript, is_subscript=True))
        else:
            found.append(Run(str(piece)))
    return _joined(run for run in found if run.text)


def _joined(found: Iterable[Run]) -> tuple[Run, ...]:
    """The runs, with adjacent ones of the same kind as one."""
    by_kind = groupby(found, key=lambda run: (run.is_symbol, run.is_subscript))
    return tuple(Run("".join(run.text for run in same), *kind) for kind, same in by_kind)


def line_width(line: tuple[Run, ...], *, bold: bool = False) -> float:
    """The width of a line."""
    width = sum(text_width(run.text) * (SUBSCRIPT_SIZE if run.is_subscript else 1) for run in line)
    return width * BOLD if bold else width
