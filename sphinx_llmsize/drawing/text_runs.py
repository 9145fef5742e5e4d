"""Lines of text with italic symbols and subscripts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from sphinx_llmsize.diagram_boxes import SEPARATOR
from sphinx_llmsize.drawing.text_width import text_width
from sphinx_llmsize.inline import FormulaText, Line, Variable
from sphinx_llmsize.typography import NO_BREAK, with_breaks

SUBSCRIPT_SIZE = 0.75
"""Size of a subscript relative to the text."""
AFTER_WORDS = "(?<=[ -])"
"""Regular expression for the ends of words: after a space or a hyphen."""
IN_FORMULAS = rf"(?<=[ -])|(?<=\+{NO_BREAK})|(?<![×,]{NO_BREAK})(?<={NO_BREAK})(?=\()"
"""The same, and also after each plus sign of a formula, and between a factor and a bracket."""
BALANCE = 4
"""Step in px by which a wrapped text is made narrower until it would need another line."""
BOLD = 1.1
"""Maximum width of bold text relative to normal text."""
DOT = SEPARATOR.lstrip()
"""Separator of the parts of a line, as a word with the space after it."""


@dataclass(frozen=True)
class Run:
    """A piece of a line.

    Attributes:
        text: its characters.
        is_symbol: it is a symbol, in italics.
        is_subscript: it is smaller, and below the line.
        is_bold: it is in bold, like the titles of steps.
        is_formula: it has the font of symbols.
    """

    text: str
    is_symbol: bool = False
    is_subscript: bool = False
    is_bold: bool = False
    is_formula: bool = False

    @property
    def width(self) -> float:
        """The width of the text in px."""
        width = text_width(self.text) * (SUBSCRIPT_SIZE if self.is_subscript else 1)
        return width * BOLD if self.is_bold else width


Runs = tuple[Run, ...]
"""A line of text, in pieces of different styles."""


def runs(line: Line) -> Runs:
    """A line of text as runs: normal text, symbols and subscripts."""
    found: list[Run] = []
    for piece in line:
        if isinstance(piece, Variable):
            found.append(Run(piece.base, is_symbol=True, is_formula=True))
            for text, is_italic in piece.subscript_parts:
                subscript = Run(text, is_symbol=is_italic, is_subscript=True, is_formula=True)
                found.append(subscript)
        elif isinstance(piece, FormulaText):
            found.append(Run(piece.typeset, is_formula=True))
        else:
            found.append(Run(str(piece)))
    return _joined(run for run in found if run.text)


def wrapped_runs(
    line: Line, width: float, *, is_bold: bool = False, at_dots: bool = False
) -> tuple[Runs, ...]:
    """Runs of a line, wrapped at spaces, hyphens and in formulas to lines of similar lengths.

    A line that is too long breaks at each dot between its parts, and the dot is left out. It also
    breaks after commas if that needs no more lines. A formula breaks within a sum in brackets only
    if nothing else helps. A word that is wider than ``width`` is not broken.

    Args:
        line: the line.
        width: maximum width of a line.
        is_bold: the line is bold.
        at_dots: the line breaks at dots even if it is not too long.
    """
    whole, breakable = (
        tuple(replace(run, is_bold=is_bold) for run in runs(each))
        for each in (line, with_breaks(line))
    )
    return _wrapped_lines(whole, breakable, width, at_dots=at_dots)


@lru_cache(maxsize=4096)  # diagrams of other sizes, and of other widths, repeat most lines
def _wrapped_lines(
    whole: Runs, breakable: Runs, width: float, *, at_dots: bool
) -> tuple[Runs, ...]:
    """The line as a whole, if it fits, or wrapped where ``breakable`` has breaks."""
    if line_width(whole) <= width:
        if not at_dots:
            return (whole,)
        width = line_width(whole)
    words = tuple(_words(breakable, AFTER_WORDS))
    if any(line_width(_stripped(word)) > width for word in words):
        words = tuple(_words(breakable, IN_FORMULAS))
    lines = _wrapped(words, width)
    lines_at_commas = _wrapped(words, width, at_commas=True)
    if lines_at_commas != lines and len(lines_at_commas) == len(lines):
        return lines_at_commas
    return _balanced(words, width)


def _balanced(words: Sequence[Runs], width: float) -> tuple[Runs, ...]:
    """The words in as many lines as this width needs, wrapped to the least width for that many."""
    lines = _wrapped(words, width)
    while width > BALANCE:
        width -= BALANCE
        narrower = _wrapped(words, width)
        if len(narrower) != len(lines):
            break
        lines = narrower
    return lines


def _wrapped(words: Iterable[Runs], width: float, *, at_commas: bool = False) -> tuple[Runs, ...]:
    """The words, wrapped to a width, with as many in each line as fit.

    Args:
        words: pieces of the text, as from :func:`_words`.
        width: maximum width of a line.
        at_commas: a line also ends after a comma.
    """
    lines: list[Runs] = [()]
    for word in words:
        if "".join(run.text for run in word) == DOT:
            lines.append(())
            continue
        longer = (*lines[-1], *word)
        is_full = line_width(_stripped(longer)) > width
        if lines[-1] and (is_full or (at_commas and lines[-1][-1].text.endswith(", "))):
            lines.append(word)
        else:
            lines[-1] = longer
    return tuple(map(_stripped, lines))


def _words(line: Iterable[Run], breaks: str) -> Iterator[Runs]:
    """Pieces of a line between which it may break, each with the space or hyphen after it.

    Args:
        line: the line.
        breaks: regular expression for the positions of breaks.
    """
    word: list[Run] = []
    for run in line:
        *ended, rest = re.split(breaks, run.text)
        for piece in ended:
            yield (*word, replace(run, text=piece))
            word = []
        if rest:
            word.append(replace(run, text=rest))
    yield tuple(word)


def _stripped(line: Runs) -> Runs:
    """The line without a space at its end."""
    if not line:
        return ()
    *before, last = _joined(line)
    text = last.text.rstrip()
    return (*before, replace(last, text=text)) if text else tuple(before)


def _joined(found: Iterable[Run]) -> Runs:
    """The runs, with adjacent ones of the same style as one."""
    by_style = groupby(found, key=lambda run: replace(run, text=""))
    return tuple(replace(style, text="".join(run.text for run in same)) for style, same in by_style)


def line_width(line: Runs) -> float:
    """The width of a line in px."""
    return sum(run.width for run in line)
