"""Lines of text with italic symbols and subscripts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from sphinx_llmsize.drawing.text_width import text_width
from sphinx_llmsize.inline import Line, Variable
from sphinx_llmsize.line_breaks import with_breaks

SUBSCRIPT_SIZE = 0.75
"""Size of a subscript relative to the text."""
SPACES = "(?<=[ -])"
"""Ends of words."""
IN_SUMS = r"(?<=[ -])|(?<=\+\u00a0)|(?<=·)(?=\()"
"""Ends of words, and of the summands and factors of a formula."""
BALANCE = 4
"""Step in px by which a wrapped text is made narrower until it would need another line."""
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


Runs = tuple[Run, ...]
"""A line of text."""


def runs(line: Line) -> Runs:
    """Normal text, symbols and subscripts of a line of text."""
    found: list[Run] = []
    for piece in line:
        if isinstance(piece, Variable):
            found.append(Run(piece.base, is_symbol=True))
            found += (Run(*part, is_subscript=True) for part in piece.subscript_parts)
        else:
            found.append(Run(str(piece)))
    return _joined(run for run in found if run.text)


@lru_cache(maxsize=4096)  # diagrams of other sizes, and of other widths, repeat most lines
def wrapped_runs(line: Line, width: float, *, is_bold: bool = False) -> tuple[Runs, ...]:
    """Runs of a line, wrapped at spaces, hyphens and in formulas to lines of similar lengths.

    A line that is too long breaks at each dot between its parts, which is left out, and after
    commas if this needs no more lines. A formula breaks within a sum in brackets only if nothing
    else helps. A word that is longer than a line sticks out.
    """
    whole = tuple(replace(run, is_bold=is_bold) for run in runs(line))
    if line_width(whole) <= width:
        return (whole,)
    breakable = tuple(replace(run, is_bold=is_bold) for run in runs(with_breaks(line)))
    words = tuple(_words(breakable))
    if any(line_width(_stripped(word)) > width for word in words):
        words = tuple(_words(breakable, IN_SUMS))
    lines = _wrapped(words, width)
    by_clause = _wrapped(words, width, at_commas=True)
    if by_clause != lines and len(by_clause) == len(lines):
        return by_clause
    while len(narrower := _wrapped(words, width := width - BALANCE)) == len(lines) and width > 0:
        lines = narrower
    return lines


def _wrapped(words: Iterable[Runs], width: float, *, at_commas: bool = False) -> tuple[Runs, ...]:
    """The words, wrapped to a width, with as many in each line as fit, or up to a comma."""
    lines: list[Runs] = [()]
    for word in words:
        longer = _stripped((*lines[-1], *word))
        if _is_dot(word):
            lines.append(())
        elif lines[-1] and (line_width(longer) > width or (at_commas and _is_clause(lines[-1]))):
            lines.append(word)
        else:
            lines[-1] = (*lines[-1], *word)
    return tuple(map(_stripped, lines))


def _words(line: Iterable[Run], breaks: str = SPACES) -> Iterator[Runs]:
    """Pieces of a line between which it may break, each with the space or hyphen after it."""
    word: list[Run] = []
    for run in line:
        *ended, rest = re.split(breaks, run.text)
        for piece in ended:
            yield (*word, replace(run, text=piece))
            word = []
        if rest:
            word.append(replace(run, text=rest))
    yield tuple(word)


def _is_clause(line: Runs) -> bool:
    """True if a line ends with a comma."""
    return line[-1].text.endswith(", ")


def _is_dot(word: Runs) -> bool:
    """True for the dot between the parts of a line."""
    return "".join(run.text for run in word) == "· "


def _stripped(line: Runs) -> Runs:
    """The line without a space at its end."""
    *before, last = _joined(line) or (Run(""),)
    return tuple(run for run in (*before, replace(last, text=last.text.rstrip())) if run.text)


def _joined(found: Iterable[Run]) -> tuple[Run, ...]:
    """The runs, with adjacent ones of the same style as one."""
    by_style = groupby(found, key=lambda run: (run.is_symbol, run.is_subscript, run.is_bold))
    return tuple(Run("".join(run.text for run in same), *style) for style, same in by_style)


def line_width(line: tuple[Run, ...]) -> float:
    """The width of a line in px."""
    return sum(run.width for run in line)
