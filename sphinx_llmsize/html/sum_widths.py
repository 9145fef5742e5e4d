"""Estimated widths in sums on wide screens: what stays on one line, and where results stand.

Widths of math are in digits, those of names and results in characters.
"""

from __future__ import annotations

from collections.abc import Mapping

from sphinx_llmsize.blocks import Derivation, SumRow, SumRowKind
from sphinx_llmsize.marks import without_marks
from sphinx_llmsize.monospace import monospace_width
from sphinx_llmsize.views.shared.typeset import width

UNBROKEN = {"llmsize-symbols": 23, "llmsize-numbers": 27}
"""Width of math up to which it stays on one line, by class of cell.

Names and results of the widths below then leave no more room.
"""
WIDEST_SYMBOLS = 24.3
"""Width of symbols above which they break even if there is room beside them.

A wider column would move the numbers away from those of other sums on the page.
"""
OUTSIDE = (SumRowKind.ADDEND, SumRowKind.PRODUCT)
"""Rows of addends that are in no bracket."""
NAME_WIDTH = 30
"""Width of a name up to which it stays on one line."""
INDENT = 2
"""Width of the indent of names in a bracket."""
LEAST_INDENT = 4
"""Least indent of results in a bracket, in characters."""
RESULT_WIDTH = 17
"""Width of a result, in characters, beside which math of the widths above has room."""
DIGITS_PER_CHARACTER = 0.7
"""Width in digits of math that has room in place of a character of a name, with some reserve."""
TWO_RESULTS = 50
"""Width in digits of numbers and of two columns of results that have room beside symbols."""
WIDEST_LINE = 36
"""Width of a line of numbers that break; their column takes what others leave."""
USUAL_NAME, USUAL_SYMBOLS = 24, 20
"""Widths of names and symbols above which they take room from numbers and results."""
CHARACTER = 0.9
"""Width of a character of a name or result in digits: some characters are commas."""


def most_on_one_line(block: Derivation) -> dict[str, float]:
    """Width up to which math stays on one line, by class of cell.

    Short names leave room, and long results take it. Numbers come first: what they don't need is
    left to the symbols.
    """
    longest_result = max(map(_result_width, block.rows))
    room = DIGITS_PER_CHARACTER * max(NAME_WIDTH - _longest_name(block), 0)
    room -= max(longest_result - RESULT_WIDTH, 0)
    most_numbers = UNBROKEN["llmsize-numbers"] + room
    widths = [width("".join(row.numbers)) for row in block.rows]
    widest_numbers = max((each for each in widths if each <= most_numbers), default=0)
    most_symbols = UNBROKEN["llmsize-symbols"] + most_numbers - widest_numbers
    return {
        "llmsize-symbols": min(most_symbols, WIDEST_SYMBOLS),
        "llmsize-numbers": most_numbers,
    }


def result_indent(block: Derivation, most: Mapping[str, float]) -> int:
    """Indent of results in a bracket, in characters; at least :data:`LEAST_INDENT`.

    It is the length of the longest result of a row that isn't in a bracket, so that the results in
    brackets are a column of their own, or less where the numbers leave less room.

    Args:
        block: the sum.
        most: width up to which math stays on one line, by class of cell.
    """
    in_bracket = [
        min(width("".join(row.numbers)), WIDEST_LINE) + CHARACTER * _length(row.result)
        for row in block.rows
        if row.kind.is_inside
    ]
    symbols = (width("".join(row.symbols)) for row in block.rows if row.numbers)
    widest_symbols = max((each for each in symbols if each <= most["llmsize-symbols"]), default=0)
    room = TWO_RESULTS - max(in_bracket, default=0)
    room -= CHARACTER * max(_longest_name(block) - USUAL_NAME, 0)
    room -= max(widest_symbols - USUAL_SYMBOLS, 0)
    longest = max((_length(row.result) for row in block.rows if row.kind in OUTSIDE), default=0)
    return max(min(longest, int(room / CHARACTER)), LEAST_INDENT)


def _longest_name(block: Derivation) -> int:
    """Width of the longest name of a row with its indent."""
    return max(monospace_width(row.name) + INDENT * row.kind.is_inside for row in block.rows)


def _result_width(row: SumRow) -> int:
    """Width of a row's result with its least indent, in characters."""
    return _length(row.result) + LEAST_INDENT * row.kind.is_inside


def _length(result: str) -> int:
    """Length of a result without the marks of interactive pages."""
    return len(without_marks(result))
