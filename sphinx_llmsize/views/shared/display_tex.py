"""TeX of displayed equations and sums, for Markdown, LaTeX and plain text.

HTML shows the same blocks as elements that reflow; these outputs have a fixed width.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

from sphinx_llmsize.blocks import Derivation, Formula, SumRow, SumRowKind, Tex
from sphinx_llmsize.inline import Variable
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.typeset import number_tex, sides, width, words
from sphinx_llmsize.views.shared.wording import label_line

LINE_WIDTH = 85
"""Maximum width of an equation, in digits."""
NAME_WIDTH, SYMBOLS_WIDTH, NUMBERS_WIDTH = 28, 26, 34
"""Maximum widths of the columns of a sum, in digits."""
HEADINGS = (N_("Component"), N_("Symbols"), N_("Numbers"))
"""Headings of the columns of a sum before the results."""
INDENT = r"\quad "
"""Space before the names of rows in a bracket."""
STRUT = r"\rule{0pt}{2.6ex} "
"""Invisible rule, for space between a row and a line or labels of braces above it."""
_SIGNS = {"×": r"{\times}", "Δ": r"{\Delta}"}
"""Commands for signs that KaTeX in Hugo or pdfLaTeX refuses in text."""
_RESULT = re.compile(r"([≈=]?) ?((?:−?\d(?:\D?\d)*)?) ?(.*)")
"""Pattern of a result: sign, digits with their separators, and unit."""
Cells = tuple[str, str, str, str, str]
"""TeX of a line of a sum: name, symbols, equals sign, numbers and result."""


def display_tex(block: Formula | Derivation) -> str:
    """TeX of an equation or a sum for display mode, without delimiters."""
    return _formula_tex(block) if isinstance(block, Formula) else _sum_tex(block)


def _formula_tex(formula: Formula) -> str:
    """One line as it is; several lines aligned at the relation signs."""
    lines = [line for equation in formula.lines for line in equation_lines(equation)]
    if len(lines) == 1:
        return "".join(lines[0])
    body = " \\\\\n".join(f"{left}&{right}" for left, right in lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def equation_lines(equation: Tex) -> Iterator[tuple[str, str]]:
    """The lines of an equation, each with its part before the relation sign and the rest."""
    left, right = sides(equation)
    first, *others = _wrapped(right, LINE_WIDTH)
    yield f"{left} ", first
    for line in others:
        yield "", f"{INDENT}{line}"


def _sum_tex(derivation: Derivation) -> str:
    """An array with rules below the headings and above the first total."""
    lines = list(sum_lines(derivation))
    rows = [_row_tex(line, kind) for kind, line in lines]
    first_total = [kind for kind, _line in lines].index(SumRowKind.TOTAL)
    for position in {1, first_total}:  # a single rule if the total is the only row
        rows[position] = rf"\hline {STRUT}{rows[position]}"
    return _array("lrclr", rows)


def sum_lines(block: Derivation) -> Iterator[tuple[SumRowKind, Cells]]:
    """The headings and the rows of a sum, divided into lines that fit the columns."""
    name, symbols, numbers = (words(_(heading)) for heading in HEADINGS)
    yield SumRowKind.ADDEND, (name, symbols, "", numbers, words(block.unit))
    for row in block.rows:
        for line in _row_lines(row):
            yield row.kind, line


def _row_lines(row: SumRow) -> Iterator[Cells]:
    """The lines of a row; cells with fewer lines than others are empty at the end.

    A line above the result marks the sum of a bracket.
    """
    names = _name_lines(row.name)
    symbols = _wrapped(row.symbols, SYMBOLS_WIDTH)
    numbers = _wrapped(row.numbers, NUMBERS_WIDTH)
    equals = ("=",) if row.numbers else ()
    right = [_result_tex(text) for text in (row.result, *row.notes) if text]
    if row.kind is SumRowKind.SUBTOTAL:
        right = [rf"\overline{{{tex}}}" for tex in right]
    yield from zip_longest(names, symbols, equals, numbers, right, fillvalue="")


def _name_lines(name: str) -> Iterator[str]:
    """TeX of the lines of a row's name; letters of a state space are symbols."""
    letters = [piece.base for piece in label_line(name) if isinstance(piece, Variable)]
    signs = {**_SIGNS, **dict(zip(letters, letters, strict=True))}
    sign = re.compile("|".join((*_SIGNS, *(rf"\b{letter}\b" for letter in letters))).join("()"))
    for line in wrap(name, NAME_WIDTH):
        yield "".join(signs.get(piece) or words(piece) for piece in sign.split(line) if piece)


def _row_tex(line: Cells, kind: SumRowKind) -> str:
    """A line as a row of an array; inner rows are indented, and totals are bold."""
    name, *middle, result = line
    if kind.is_inside:
        name = f"{INDENT}{name}"
    if kind is SumRowKind.SUBTOTAL:
        name = f"{STRUT}{name}"
    if kind is SumRowKind.TOTAL:
        result = rf"\mathbf{{{result}}}" if name else result
        name = name.replace(r"\text{", r"\textbf{")
    return " & ".join((name, *middle, result))


def _array(columns: str, rows: Iterable[str]) -> str:
    """An array with these rows; ``columns`` has a letter for the alignment of each column."""
    body = " \\\\\n".join(rows)
    return f"\\begin{{array}}{{{columns}}}\n{body}\n\\end{{array}}"


def _wrapped(pieces: Tex, available: float) -> tuple[str, ...]:
    """The pieces joined to lines of a maximum width; only a single factor may be wider."""
    lines: list[str] = []
    for piece in pieces:
        for part in _divided(piece, available):
            if lines and width(lines[-1] + part) <= available:
                lines[-1] += part
            else:
                lines.append(part)
    return tuple(lines)


def _divided(piece: str, available: float) -> Sequence[str]:
    """The piece, or its factors if it is too wide for a line."""
    if width(piece) <= available:
        return (piece,)
    return re.split(r"(?= \\times )", piece)


def _result_tex(text: str) -> str:
    """TeX of ``≈ 2.15 GB``: digits as a number, the unit as words."""
    found = _RESULT.fullmatch(text)
    assert found
    sign, digits, unit = found.groups()
    signs = {"": "", "=": "= ", "≈": r"\approx "}
    return signs[sign] + number_tex(digits) + (rf"\ {words(unit)}" if unit else "")
