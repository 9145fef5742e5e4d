"""HTML of displayed equations and sums: inline math in elements that reflow on a phone.

The project's math renderer typesets the math. A sum is a table, whose rows CSS stacks on narrow
screens; explicit roles preserve its meaning for screen readers there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_llmsize.blocks import Derivation, SumRow, SumRowKind, Tex
from sphinx_llmsize.hosts.sphinx.nodes import displayed, runs_scripts
from sphinx_llmsize.hosts.sphinx.tex_as_text import plain
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx

SUM_CLASS = "llmsize-sum"
UNBROKEN = {"llmsize-symbols": 22, "llmsize-numbers": 28}
"""Width in digits up to which math in a column stays on one line, unless the screen is narrow."""
_SIGN = re.compile(r"^ ([+-]|\\times|\\cdot) ")


def visit_html(self: Any, node: displayed) -> None:
    """Write the equations or the sum."""
    block = node["block"]
    self.body.append(self.starttag(node, "div", CLASS="llmsize-display"))
    if isinstance(block, Derivation):
        _write_sum(self, block)
    else:
        for line in block.lines:
            self.body.append("<p>")
            _write_math(self, line, r"\displaystyle ")
            self.body.append("</p>\n")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def _write_sum(self: Any, block: Derivation) -> None:
    from sphinx_llmsize.views.shared.display_math import HEADINGS

    write = self.body.append
    write(f'<table class="{SUM_CLASS}" role="table">\n<thead role="rowgroup"><tr role="row">')
    for heading in (*map(_, HEADINGS), block.unit):
        write(f'<th role="columnheader" scope="col">{self.encode(heading)}</th>')
    write("</tr></thead>\n")
    for rows in _sections(block):
        write('<tbody role="rowgroup">\n')
        for row in rows:
            _write_row(self, row)
        write("</tbody>\n")
    write("</table>\n")


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


def _write_row(self: Any, row: SumRow) -> None:
    write = self.body.append
    write(f'<tr role="row" class="llmsize-{row.kind.value}">')
    write(f'<th role="rowheader" scope="row">{self.encode(row.name)}</th>')
    write(f'<td role="cell" class="{_classes("llmsize-symbols", row.symbols)}">')
    _write_math(self, row.symbols)
    write(f'</td><td role="cell" class="{_classes("llmsize-numbers", row.numbers)}">')
    if row.numbers:
        first, *others = row.numbers
        _write_math(self, (f"= {first}", *others))
    notes = "".join(f"<small>{self.encode(note)}</small>" for note in row.notes)
    write(
        f'</td><td role="cell" class="llmsize-result">{self.encode(row.result)}{notes}</td></tr>\n'
    )


def _classes(name: str, pieces: Tex) -> str:
    """The classes of a cell; one that is not wide stays on one line."""
    from sphinx_llmsize.views.shared.typeset import width

    return name if width("".join(pieces)) > UNBROKEN[name] else f"{name} llmsize-unbroken"


def _write_math(self: Any, pieces: Tex, style: str = "") -> None:
    """Write each piece as inline math, so that the browser can break the line between them.

    Where MathJax doesn't run, as in EPUB, the math is text.
    """
    is_script = self.builder.math_renderer_name == "mathjax"
    if is_script and not runs_scripts(self.builder, self.document):
        self.body.append(self.encode(plain("".join(pieces)).strip()))
        return
    for position, piece in enumerate(pieces):
        if position:
            self.body.append(" ")
        # a sign at the beginning has no space after it; MathJax 4 breaks no line within braces
        signed = _SIGN.sub(r"\1\;", piece).strip()
        tex = f"{{{style}{signed}}}"
        nodes.math(tex, tex).walkabout(self)


def visit_latex(self: Any, node: displayed) -> None:
    """Write a sum in the font size of tables, and equations as Sphinx does."""
    if isinstance(node["block"], Derivation):
        self.body.append(
            f"\n\\begin{{equation*}}\\mbox{{\\footnotesize${node.astext()}$}}\\end{{equation*}}\n"
        )
        raise nodes.SkipNode
    self.visit_math_block(node)


def setup(app: Sphinx) -> None:
    """Register the visitors; other writers display the node's TeX."""
    app.add_node(displayed, html=(visit_html, None), latex=(visit_latex, None))
