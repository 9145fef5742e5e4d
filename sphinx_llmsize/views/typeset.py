"""TeX that fits: long sums broken into lines that a phone can show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sphinx_llmsize.formats import thousands

LINE_WIDTH = 34
"""Characters that fit beside each other on a screen 390 pixels wide."""

_COMMAND = re.compile(r"\\[a-zA-Z]+|\\.|[{}^_\s]")


@dataclass(frozen=True)
class Term:
    """A summand: TeX, and about how many characters wide it is."""

    tex: str
    width: float

    def __add__(self, other: Term) -> Term:
        return Term(self.tex + other.tex, self.width + other.width)


def term(tex: str) -> Term:
    """TeX with its width, commands counted as nothing and letters as one each."""
    return Term(tex, len(_COMMAND.sub("", tex)) + 1.5 * (tex.count("+") + tex.count(r"\times")))


def braced(body: str, label: str) -> Term:
    """A body with its name under it; names are set at seven tenths."""
    wide = max(term(body).width, 0.7 * len(label))
    return Term(rf"\underbrace{{{body}}}_{{\text{{{label}}}}}", wide)


def added(terms: Iterable[Term]) -> Iterator[Term]:
    """The terms with a plus before each but the first."""
    for position, item in enumerate(terms):
        yield term("+ ") + item if position else item


def number(value: int) -> str:
    """``6{,}738``: a thousands separator that TeX does not take for punctuation."""
    return thousands(value).replace(",", "{,}")


def sum_lines(left: str, terms: Iterable[Term]) -> tuple[str, ...]:
    r"""``left &= a + b`` and, where the next term would not fit, ``&\quad {} + c``."""
    lines: list[str] = []
    line, width = f"{left} &=".lstrip(), term(left).width + 3
    fresh = True
    for item in terms:
        if not fresh and width + item.width > LINE_WIDTH:
            lines.append(line)
            line, width = r"&\quad {}", 4.0
        line, width, fresh = f"{line.rstrip()} {item.tex}", width + item.width + 2, False
    return (*lines, line)
