"""Terms and lines of TeX; long sums are broken into lines that fit a phone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sphinx_llmsize.formats import columns, in_tex, thousands

LINE_WIDTH = 35
"""Digits that fit into a line on a screen 390 px wide."""

_WIDTHS = (
    (re.compile(r"[_^]\{(?:\\(?:mathrm|text)\{)?([^{}\\]*)\}"), 0.75),
    (re.compile(r"(\\times|[+=]|- )"), 2.45),
    (re.compile(r"(\\,)"), 0.33),
    (re.compile(r"(\{,\}|,)"), 0.55),
    (re.compile(r"(\\[a-zA-Z]+|\\.|[{}\s&])"), 0.0),
    (re.compile(r"([()])"), 0.9),
    (re.compile(r"([A-Z])"), 1.6),
    (re.compile(r"(.)"), 1.0),
)
"""Patterns of TeX, in matching order, and their widths in digits as MathJax renders them.

The first pattern is a subscript or superscript; its width is per letter.
"""
_SMALL = _WIDTHS[0][0]
_COMMANDS = re.compile(r"[\\{}$&#%^_~]")
_INDENT = 2.0
"""Width of the indentation of continued lines."""


@dataclass(frozen=True)
class Term:
    """A piece of TeX and its approximate width in digits."""

    tex: str
    width: float

    def __add__(self, other: Term) -> Term:
        return Term(self.tex + other.tex, self.width + other.width)


def term(tex: str) -> Term:
    """TeX with its width."""
    width = 0.0
    rest = tex
    for pattern, each in _WIDTHS:
        found = pattern.findall(rest)
        width += each * (sum(map(columns, found)) if pattern is _SMALL else len(found))
        rest = pattern.sub("", rest)
    return Term(tex, width)


def braced(body: str, label: str) -> Term:
    """TeX with a label below a brace; the label's text is 0.7 times as large."""
    wide = max(term(body).width, 0.7 * columns(label))
    return Term(rf"\underbrace{{{body}}}_{{{words(label)}}}", wide)


def words(text: str) -> str:
    """Text within TeX, without the characters that TeX reads as commands."""
    return rf"\text{{{_COMMANDS.sub('', text)}}}"


def indexed(symbol: str, index: str) -> str:
    """A symbol with text as its index: ``N_active``."""
    return f"{symbol}_{{{words(index)}}}"


def added(summands: Iterable[Iterable[Term]]) -> Iterator[Term]:
    """The terms of all summands, with a plus before each summand but the first."""
    for position, (first, *others) in enumerate(summands):
        yield term("+ ") + first if position else first
        yield from others


def number(value: int) -> str:
    """``6{,}738``; the braces prevent TeX from adding a space after the comma."""
    return in_tex(thousands(value))


def sum_lines(left: str, terms: Iterable[Term], *, column: str = "") -> tuple[str, ...]:
    r"""``left &= a + b`` and, where the next term would not fit, ``&\quad {} + c``.

    Args:
        left: the TeX before the first equals sign.
        terms: the terms after it.
        column: the widest TeX before an equals sign of the formula, if not ``left``.
    """
    beside = term(column or left).width
    lines: list[str] = []
    line, width = f"{left} &=".lstrip(), beside + term("=").width
    is_first = True
    for item in terms:
        if not is_first and width + item.width > LINE_WIDTH:
            lines.append(line)
            line, width = r"&\quad {}", beside + _INDENT
        line, width, is_first = f"{line.rstrip()} {item.tex}", width + item.width, False
    return (*lines, line)


def term_room(column: str) -> float:
    """Width available to a signed term in a continued line."""
    return LINE_WIDTH - term(column).width - _INDENT - term("+").width
