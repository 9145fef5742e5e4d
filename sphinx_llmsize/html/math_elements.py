"""HTML of displayed equations and sums: inline math in elements that reflow on a phone.

A sum is a table, whose rows CSS stacks on narrow screens; explicit roles preserve its meaning for
screen readers there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby

from sphinx_llmsize.blocks import Derivation, Formula, SumRow, SumRowKind, Tex
from sphinx_llmsize.html.arithmetic import arithmetic, is_arithmetic
from sphinx_llmsize.html.class_names import SUM_CLASS, UNBROKEN_CLASS, row_class
from sphinx_llmsize.html.inline_elements import with_tooltip
from sphinx_llmsize.html.markup import Markup, element, join
from sphinx_llmsize.html.mathml import mathml
from sphinx_llmsize.monospace import monospace_width
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.display_tex import HEADINGS
from sphinx_llmsize.views.shared.typeset import sides, width

UNBROKEN = {"llmsize-symbols": 22, "llmsize-numbers": 28}
"""Width of math, in digits, up to which it stays on one line on wide screens, by class of cell."""
NAME_WIDTH = 30
"""Width of a name, in characters, up to which it stays on one line on wide screens."""
INDENT = 2
"""Width of the indent of names in a bracket, in characters."""
RESULT_WIDTH = 14
"""Width of a result, in characters, beside which math of the widths above has room."""
DIGITS_PER_CHARACTER = 0.6
"""Width in digits of math that has room in place of a character of a name, with some reserve."""
WriteMath = Callable[[Tex], Markup]
"""Function that writes pieces of TeX as inline math."""
_SIGN = re.compile(r"^ ([+-]|\\times|\\cdot) ")
"""Sign at the start of a piece of TeX."""


def display_math(block: Formula | Derivation, write: WriteMath = mathml) -> Markup:
    """A paragraph for each equation, or a table with the rows of a sum."""
    if isinstance(block, Formula):
        names = block.number_names or ("",) * len(block.lines)
        equations = zip(block.lines, names, strict=True)
        return join((_equation(line, name, write) for line, name in equations), "\n")
    labels = (*map(_, HEADINGS), block.unit)
    headings = (element("th", text, role="columnheader", scope="col") for text in labels)
    head = element("thead", element("tr", *headings, role="row"), role="rowgroup")
    most = UNBROKEN["llmsize-numbers"] + _room_for_numbers(block)
    bodies = (
        element("tbody", *(_row(row, write, most) for row in rows), role="rowgroup")
        for rows in _sections(block)
    )
    return element("table", head, *bodies, class_=SUM_CLASS, role="table")


def signed_tex(piece: str) -> str:
    """TeX of a piece that follows another, with space after its sign.

    TeX sets no space after a sign at the beginning. A thin space at the beginning is dropped, since
    hosts separate pieces by a space.
    """
    return _SIGN.sub(r"\1\;", piece).strip().removeprefix(r"\, ")


def _equation(line: Tex, name: str, write: WriteMath) -> Markup:
    """The paragraph of an equation, whose two parts CSS aligns with those of other equations.

    The second part has the name of the result as a tooltip.
    """
    left, right = sides(line)
    parts = (element("span", write((left,))), " ", element("span", write(right), title=name))
    return element("p", *parts)


def _sections(block: Derivation) -> Iterator[list[SumRow]]:
    """The rows in sections; each bracket is one, with its subtotal and the product below it."""
    section: list[SumRow] = []
    for kind, rows in groupby(block.rows, key=lambda row: row.kind):
        if kind is SumRowKind.INNER and section:
            yield section
            section = []
        section += rows
        if kind is SumRowKind.PRODUCT:
            yield section
            section = []
    if section:
        yield section


def _room_for_numbers(block: Derivation) -> float:
    """Width in digits that short names leave to the numbers, less what long results take."""
    longest_name = max(map(_name_width, block.rows))
    longest_result = max(len(row.result) for row in block.rows)
    from_names = DIGITS_PER_CHARACTER * max(NAME_WIDTH - longest_name, 0)
    return from_names - max(longest_result - RESULT_WIDTH, 0)


def _name_width(row: SumRow) -> int:
    """Width of a row's name with its indent, in characters."""
    is_indented = row.kind in {SumRowKind.INNER, SumRowKind.SUBTOTAL}
    return monospace_width(row.name) + INDENT * is_indented


def _row(row: SumRow, write: WriteMath, most: float) -> Markup:
    """A row of a sum: name, symbols, numbers and result.

    Args:
        row: the row.
        write: function that writes the TeX.
        most: width in digits up to which numbers stay on one line on wide screens.
    """
    notes = (element("small", note) for note in row.notes)
    name_class = UNBROKEN_CLASS if monospace_width(row.name) <= NAME_WIDTH else ""
    cells = (
        element("th", row.name, role="rowheader", scope="row", class_=name_class),
        _math_cell("llmsize-symbols", row.symbols, write, UNBROKEN["llmsize-symbols"]),
        _math_cell("llmsize-numbers", row.numbers, write, most, before="= "),
        element(
            "td",
            with_tooltip(row.result, row.number_name),
            *notes,
            role="cell",
            class_="llmsize-result",
        ),
    )
    return join((element("tr", *cells, role="row", class_=row_class(row.kind)), Markup("\n")))


def _math_cell(name: str, pieces: Tex, write: WriteMath, most: float, before: str = "") -> Markup:
    """A cell with math.

    Args:
        name: class of the cell.
        pieces: TeX; empty for an empty cell.
        write: function that writes the TeX.
        most: width in digits up to which the math stays on one line on wide screens.
        before: text before the TeX.
    """
    classes = name if width("".join(pieces)) > most else f"{name} {UNBROKEN_CLASS}"
    content: str = ""
    if pieces:
        pieces = (f"{before}{pieces[0]}", *pieces[1:])
        content = arithmetic(pieces) if is_arithmetic(pieces) else write(pieces)
    return element("td", content, role="cell", class_=classes)
