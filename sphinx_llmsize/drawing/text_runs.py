"""Lines of text with italic symbols and subscripts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from sphinx_llmsize.drawing.text_width import text_width
from sphinx_llmsize.inline import Line, Variable

SUBSCRIPT_SIZE = 0.75
"""Size of a subscript relative to the text."""
BOLD = 1.1
"""Maximum width of bold text relative to normal text."""


@dataclass(frozen=True)
class Run:
    """A piece of a line.

    Attributes:
        text: its characters.
        is_symbol: in italics.
        is_subscript: below the line.
        is_bold: in bold, as the titles of steps.
    """

    text: str
    is_symbol: bool = False
    is_subscript: bool = False
    is_bold: bool = False

    @property
    def width(self) -> float:
        """The width of the text in px."""
        width = text_width(self.text) * (SUBSCRIPT_SIZE if self.is_subscript else 1)
        return width * BOLD if self.is_bold else width


def runs(line: Line) -> tuple[Run, ...]:
    """Normal text, symbols and subscripts of a line of text."""
    found: list[Run] = []
    for piece in line:
        if isinstance(piece, Variable):
            found.append(Run(piece.base, is_symbol=True))
            found += (Run(*part, is_subscript=True) for part in piece.subscript_parts)
        else:
            found.append(Run(str(piece)))
    return _joined(run for run in found if run.text)


def _joined(found: Iterable[Run]) -> tuple[Run, ...]:
    """The runs, with adjacent ones of the same style as one."""
    by_style = groupby(found, key=lambda run: replace(run, text=""))
    return tuple(replace(style, text="".join(run.text for run in same)) for style, same in by_style)


def line_width(line: tuple[Run, ...]) -> float:
    """The width of a line in px."""
    return sum(run.width for run in line)
