"""Conversion of TeX to text; covers only the commands used in our formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.blocks import Derivation, Formula, Line, SumRowKind, Tex
from sphinx_llmsize.formats import superscript
from sphinx_llmsize.monospace import monospace_width
from sphinx_llmsize.translation import NARROW_SPACE
from sphinx_llmsize.views.shared.display_tex import Cells, sum_lines
from sphinx_llmsize.views.shared.wording import formula_line, variable

_SYMBOLS = {
    "{,}": ",",
    r"\,": " ",
    r"{\times}": "×",
    r"{\Delta}": "Δ",
    r"\times": "×",
    r"\approx": "≈",
    r"\cdot": "·",
    r"\min": "min",
    r"\quad": " ",
    "\\ ": " ",
    r"\;": " ",
    "{}": "",
}
"""Commands without arguments, and their texts."""
RIGHT_ALIGNED = (1, 4)
"""Positions of the right-aligned cells in a line of a sum: symbols and result."""
_THIN_SPACE = re.compile(r" ?\\, ?")
"""The space between the factors of a product."""
_GROUP = r"\{([^{}]*)\}"
"""Pattern of an argument in braces, without others inside."""


def _underbrace(found: re.Match[str]) -> str:
    """``2 D [norms]``."""
    return f"{_as_term(found[1])} [{found[2]}]"


def _fraction(found: re.Match[str]) -> str:
    """``1/2``, ``(a + b)/2``."""
    return f"{_as_term(found[1])}/{_as_term(found[2])}"


def _power(found: re.Match[str]) -> str:
    """``²``, ``^(a + b)``."""
    exponent = found[1]
    return superscript(int(exponent)) if exponent.isdecimal() else f"^{_as_term(exponent)}"


def _as_term(text: str) -> str:
    """A text, in parentheses if it is a sum or difference."""
    return f"({text})" if re.search(r" [+-] ", text) else text


_COMMANDS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"\\(?:text|mathrm|mathbf|overline){_GROUP}"), r"\1"),
    (re.compile(rf"\\vphantom{_GROUP}"), ""),
    (re.compile(rf"\\underbrace{_GROUP}_{_GROUP}"), _underbrace),
    (re.compile(rf"\\t?frac{_GROUP}{_GROUP}"), _fraction),
    (re.compile(rf"\^{_GROUP}"), _power),
    # not after a brace, where it is the label of \underbrace
    (re.compile(rf"(?<!\}})_{_GROUP}"), r"_\1"),
)
"""Patterns of commands with arguments, and their replacements.

Arguments contain no other commands when a pattern matches, so inner commands are replaced first.
"""


def plain_lines(block: Formula | Derivation) -> tuple[str, ...]:
    r"""Lines of displayed math as text.

    ``N = \underbrace{2 \, D}_{\text{norms}}`` becomes ``N = 2 D [norms]``.
    """
    if isinstance(block, Formula):
        return tuple(map(joined_as_text, block.lines))
    lines = [_sum_line(kind, line) for kind, line in sum_lines(block)]
    widths = [max(map(monospace_width, column)) for column in zip(*lines, strict=True)]
    return tuple(_aligned(line, widths) for line in lines)


def joined_as_text(pieces: Tex) -> str:
    """TeX in pieces, as one text."""
    return plain("".join(pieces))


def tex_line(tex: Tex, symbols: Iterable[Symbol]) -> Line:
    """TeX of a sum of products in running text: ``2 L D d_h (H + H_kv)``, with narrow spaces.

    Args:
        tex: the TeX, in pieces.
        symbols: the symbols in it, which become variables.
    """
    by_tex = {symbol.tex: variable(symbol) for symbol in symbols}
    names = "|".join(map(re.escape, sorted(by_tex, key=len, reverse=True)))
    pieces = re.split(rf"(?<![\\A-Za-z])({names})", _THIN_SPACE.sub(NARROW_SPACE, "".join(tex)))
    return formula_line(by_tex.get(piece) or _as_text(piece) for piece in pieces if piece)


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The cells of a line, each padded to the width of its column."""
    texts = []
    for position, text in enumerate(cells):
        padding = " " * (widths[position] - monospace_width(text))
        texts.append(padding + text if position in RIGHT_ALIGNED else text + padding)
    return "  ".join(texts).rstrip()


def _sum_line(kind: SumRowKind, line: Cells) -> tuple[str, ...]:
    """The cells of a line; names in a bracket are indented."""
    name, *others = map(plain, line)
    return (f"  {name}" if kind.is_inside else name, *others)


def plain(line: str) -> str:
    """TeX as text, without repeated spaces or spaces around it."""
    return _as_text(line).strip()


def _as_text(line: str) -> str:
    """TeX as text, without repeated spaces."""
    for symbol, text in _SYMBOLS.items():
        line = re.sub(re.escape(symbol) + r"(?![A-Za-z])", text, line)
    before = ""
    while before != line:
        before = line
        for pattern, replacement in _COMMANDS:
            line = pattern.sub(replacement, line)
    return re.sub(" +", " ", line)
