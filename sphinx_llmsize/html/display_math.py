"""HTML of displayed equations and sums: inline math in elements that reflow on a phone.

A sum is a table, whose rows CSS stacks on narrow screens; explicit roles preserve its meaning for
screen readers there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby

from sphinx_llmsize.blocks import Derivation, Formula, SumRow, SumRowKind, Tex
from sphinx_llmsize.html.class_names import SUM_CLASS, UNBROKEN_CLASS, row_class
from sphinx_llmsize.html.markup import Markup, element, joined
from sphinx_llmsize.html.mathml import mathml
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.display_math import HEADINGS
from sphinx_llmsize.views.shared.typeset import width

UNBROKEN = {"llmsize-symbols": 22, "llmsize-numbers": 28}
"""Width in digits up to which math in a column stays on one line, unless the screen is narrow."""
WriteMath = Callable[[Tex], Markup]
"""Function that writes pieces of TeX as inline math."""
_SIGN = re.compile(r"^ ([+-]|\\times|\\cdot) ")


def display_math(block: Formula | Derivation, write: WriteMath = mathml) -> Markup:
    """Paragraphs with an equation each, or the table of a sum."""
    if isinstance(block, Formula):
        return joined((element("p", write(line)) for line in block.lines), "\n")
    labels = (*map(_, HEADINGS), block.unit)
    headings = (element("th", text, role="columnheader", scope="col") for text in labels)
    head = element("thead", element("tr", *headings, role="row"), role="rowgroup")
    bodies = (
        element("tbody", *(_row(row, write) for row in rows), role="rowgroup")
        for rows in _sections(block)
    )
    return element("table", head, *bodies, class_=SUM_CLASS, role="table")


def signed_tex(piece: str) -> str:
    """TeX of a piece beside others, with the space after a leading sign that TeX would leave out.

    A thin space at its beginning is left out, as there is one between the pieces.
    """
    return _SIGN.sub(r"\1\;", piece).strip().removeprefix(r"\, ")


def _sections(block: Derivation) -> Iterator[list[SumRow]]:
    """The rows, with each bracket and its product in a section of their own."""
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


def _row(row: SumRow, write: WriteMath) -> Markup:
    notes = (element("small", note) for note in row.notes)
    cells = (
        element("th", row.name, role="rowheader", scope="row"),
        _math_cell("llmsize-symbols", row.symbols, write),
        _math_cell("llmsize-numbers", row.numbers, write, before="= "),
        element("td", row.result, *notes, role="cell", class_="llmsize-result"),
    )
    return joined((element("tr", *cells, role="row", class_=row_class(row.kind)), Markup("\n")))


def _math_cell(name: str, pieces: Tex, write: WriteMath, before: str = "") -> Markup:
    """A cell with math; math up to the width in :data:`UNBROKEN` stays on one line."""
    math = write((f"{before}{pieces[0]}", *pieces[1:])) if pieces else ""
    classes = name if width("".join(pieces)) > UNBROKEN[name] else f"{name} {UNBROKEN_CLASS}"
    return element("td", math, role="cell", class_=classes)
