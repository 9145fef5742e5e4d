"""HTML of displayed equations and sums: inline math in elements that reflow on a phone.

A sum is a table, whose rows CSS stacks on narrow screens; explicit roles preserve its meaning for
screen readers there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from sphinx_llmsize.blocks import Derivation, Formula, SumRow, SumRowKind, Tex
from sphinx_llmsize.html.arithmetic import arithmetic, is_arithmetic
from sphinx_llmsize.html.class_names import SUM_CLASS, UNBROKEN_CLASS, row_class
from sphinx_llmsize.html.inline_elements import inlines
from sphinx_llmsize.html.markup import Markup, element, join
from sphinx_llmsize.html.mathml import mathml
from sphinx_llmsize.html.sum_widths import NAME_WIDTH, most_on_one_line, result_indent
from sphinx_llmsize.monospace import monospace_width
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.role_text import MINUS
from sphinx_llmsize.views.shared.display_tex import HEADINGS
from sphinx_llmsize.views.shared.typeset import sides, width
from sphinx_llmsize.views.shared.wording import label_line

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
    most = most_on_one_line(block)
    bodies = (
        element("tbody", *(_row(row, write, most) for row in rows), role="rowgroup")
        for rows in _sections(block)
    )
    has_brackets = any(row.kind.is_inside for row in block.rows)
    style = f"--llmsize-indent: {result_indent(block, most)}" if has_brackets else ""
    return element("table", head, *bodies, class_=SUM_CLASS, role="table", style=style)


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


def _row(row: SumRow, write: WriteMath, most: Mapping[str, float]) -> Markup:
    """A row of a sum: name, symbols, numbers and result.

    Args:
        row: the row.
        write: function that writes the TeX.
        most: width in digits up to which math stays on one line on wide screens, by class of cell.
    """
    notes = (element("small", note) for note in row.notes)
    is_negative = row.result.startswith(MINUS)
    cells = (
        _name_cell(row, write),
        *_product_cells(row, write, most),
        element(
            "td",
            _result(row),
            *notes,
            role="cell",
            class_="llmsize-result llmsize-negative" if is_negative else "llmsize-result",
        ),
    )
    return join((element("tr", *cells, role="row", class_=row_class(row.kind)), Markup("\n")))


def _name_cell(row: SumRow, write: WriteMath) -> Markup:
    """The name of a row; with the symbol of the result, it spans the columns of the product."""
    name = inlines(label_line(row.name))
    if row.result_symbol:
        name = [*name, Markup("\N{EN SPACE}"), write(row.result_symbol)]
    is_unbroken = bool(row.numbers) and monospace_width(row.name) <= NAME_WIDTH
    return element(
        "th",
        *name,
        role="rowheader",
        scope="row",
        colspan="" if row.numbers else "3",
        class_=UNBROKEN_CLASS if is_unbroken else "",
    )


def _product_cells(row: SumRow, write: WriteMath, most: Mapping[str, float]) -> Iterator[Markup]:
    """The cells of the symbols and of the numbers; none without numbers."""
    if row.numbers:
        yield _math_cell("llmsize-symbols", row.symbols, write, most)
        yield _math_cell("llmsize-numbers", row.numbers, write, most, before="= ")


def _result(row: SumRow) -> Markup:
    """The result of a row, with the name of its number as a tooltip.

    A subtotal has a second element around it, whose border is the rule above it: fonts of formulas
    have unusual heights.
    """
    if not row.result:
        return Markup()
    result = element("span", row.result, title=row.number_name)
    return element("span", result) if row.kind is SumRowKind.SUBTOTAL else result


def _math_cell(
    name: str, pieces: Tex, write: WriteMath, most: Mapping[str, float], before: str = ""
) -> Markup:
    """A cell with math.

    Args:
        name: class of the cell.
        pieces: TeX; empty for an empty cell.
        write: function that writes the TeX.
        most: width in digits up to which math stays on one line on wide screens, by class of cell.
        before: text before the TeX.
    """
    classes = name if width("".join(pieces)) > most[name] else f"{name} {UNBROKEN_CLASS}"
    content: str = ""
    if pieces:
        pieces = (f"{before}{pieces[0]}", *pieces[1:])
        content = arithmetic(pieces) if is_arithmetic(pieces) else write(pieces)
    if name == "llmsize-symbols" and len(pieces) > 1:
        content = element("span", content)  # whose last line is that of the numbers
    return element("td", content, role="cell", class_=classes)
