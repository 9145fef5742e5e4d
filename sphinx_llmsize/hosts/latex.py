r"""LaTeX host: tables, formulas and pictures that a paper includes with ``\input``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from sphinx_llmsize.blocks import (
    Block,
    Derivation,
    Facts,
    Formula,
    Paragraph,
    Row,
    RowKind,
    SumRowKind,
    Table,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.escaping import escape_latex, slug
from sphinx_llmsize.inline import Bar, Drawn, Inline, Line, Variable, is_muted
from sphinx_llmsize.template_files import template_name
from sphinx_llmsize.views.comparison.compared_rows import model_row
from sphinx_llmsize.views.shared.display_math import sum_lines

if TYPE_CHECKING:
    from sphinx_llmsize.report import Report

PREAMBLE = (
    "% In the preamble:",
    r"%   \usepackage{amsmath,booktabs,graphicx,pict2e,textcomp,upquote,xcolor}",
)
"""Comment with the packages that the including file needs."""
SIGNS = {
    "−": "$-$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≈": r"$\approx$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "→": r"$\to$",
    "<": "$<$",
    ">": "$>$",
    "²": r"\textsuperscript{2}",
    "³": r"\textsuperscript{3}",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "\N{NO-BREAK SPACE}": "~",
}
"""LaTeX of characters that pdfLaTeX's fonts lack."""
BREAK = r" \\"
"""End of a row of a table or of aligned equations."""
SMALL = r"{\scriptsize "
"""Start of small text, which a brace ends."""
_RELATION = re.compile(r"(=|\\approx) ")
_SINGLE = re.compile(r"(?<!\})\{([-,])\}(?!\{)")
"""A hyphen or comma in braces that it doesn't need, as no ligature with a neighbour is possible."""
_ADJACENT = re.compile(r"(?<!\\)\$\$")
"""End of math before the start of other math."""
USUAL = frozenset({"", "table", "diagram"})
"""Ids of tables and figures whose labels are the model's name alone."""
FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Start of a box that shrinks a table or a formula wider than the text to the width of the text."""


def show(report: Report) -> str:
    """The blocks, without a heading; tables and figures have labels such as ``tab:llama-7b``."""
    models = slug(" ".join(model_row(model).role_name for model in report.models))
    shown = (_block(block, models) for block in report.blocks)
    return "\n\n".join(("\n".join(PREAMBLE), *shown))


def _block(block: Block, models: str) -> str:
    if isinstance(block, Table):
        return _table(block, _label("tab", models, block.id))
    if isinstance(block, Formula):
        return _aligned(_RELATION.sub(r"&\1 ", "".join(line), count=1) for line in block.lines)
    if isinstance(block, Derivation):
        return _derivation(block)
    if isinstance(block, Facts):
        return _facts(block)
    if isinstance(block, Paragraph):
        return _line(block.content)
    return _figure(block, _label("fig", models, block.id))


def _label(kind: str, models: str, id: str) -> str:
    r"""``\label{tab:llama-7b-memory}``; the usual table and diagram have only the model's name."""
    part = "" if id in USUAL else f"-{id}"
    return rf"\label{{{kind}:{models}{part}}}"


def text(content: str) -> str:
    """Text for LaTeX, with mathematical signs in math mode."""
    shown = "".join(SIGNS.get(character) or escape_latex(character) for character in content)
    return _SINGLE.sub(r"\1", shown)


def _line(content: Line) -> str:
    return _ADJACENT.sub(" ", "".join(_inline(piece) for piece in content))


def _inline(piece: Inline) -> str:
    if isinstance(piece, Variable):
        return f"${text(piece.base)}{_below(piece.subscript)}$"
    if isinstance(piece, Drawn):
        return _line(piece.content)
    return "" if isinstance(piece, Bar) else text(str(piece))


def _below(subscript: str) -> str:
    """A subscript as in formulas: a letter is italic, a word upright."""
    if not subscript:
        return ""
    is_word = bool(subscript[1:])
    return rf"_{{\mathrm{{{text(subscript)}}}}}" if is_word else f"_{{{text(subscript)}}}"


def _facts(block: Facts) -> str:
    """A paragraph with the total and the sizes: ``$D = 4096$ hidden dimension; …``."""
    sizes = (
        rf"${_inline(fact.symbol)[1:-1]} = \text{{{text(fact.value)}}}$ {text(fact.meaning)}"
        for fact in block.facts
    )
    listed = ";\n".join(sizes) + "."
    total = rf"\textbf{{{text(block.heading)}}} {text(block.note)}".rstrip()
    return f"{total}:\n{listed}" if block.total else listed


def _aligned(rows: Iterable[str]) -> str:
    """Equations in aligned columns, at most as wide as the text."""
    body = f"{BREAK}\n".join(rows)
    shown = f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"
    return f"\\[\n{FITTED}\n$\\displaystyle\n{shown}$}}\n\\]"


def _derivation(block: Derivation) -> str:
    """A sum with its names, symbols, numbers and results in aligned columns."""
    (_head, *lines) = sum_lines(block)
    shown = _aligned(_sum_row(kind, line) for kind, line in lines)
    return f"\\begingroup\\footnotesize\n{shown}\n\\endgroup"


def _sum_row(kind: SumRowKind, line: tuple[str, ...]) -> str:
    name, symbols, equals, numbers, result = line
    if kind.is_inside:
        name = rf"\quad {name}"
    if kind is SumRowKind.TOTAL:
        name, result = name.replace(r"\text{", r"\textbf{"), rf"\mathbf{{{result}}}"
    return rf"&{name} &\quad& {symbols} &&{equals} {numbers} & \quad {result}"


def _table(block: Table, label: str) -> str:
    """A table of the package booktabs; lines of a cell are rows."""
    columns = "".join("r" if column.numeric else "l" for column in block.columns)
    head = " & ".join(_line(column.heading) for column in block.columns)
    lines = [
        r"\begin{table}[htbp]",
        r"\centering\footnotesize",
        rf"\caption{{{text(block.label) if block.label else _line(block.caption)}}}",
        label,
        FITTED,
        rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
        r"\toprule",
        head + BREAK,
        r"\midrule",
    ]
    is_total = False
    for row in block.rows:
        if row.kind is RowKind.TOTAL and not is_total:
            lines.append(r"\midrule")
            is_total = True
        lines += _row(row, block)
    return "\n".join((*lines, r"\bottomrule", r"\end{tabular}}", r"\end{table}"))


def _row(row: Row, block: Table) -> Iterator[str]:
    is_member = row.kind is RowKind.MEMBER
    indent = r"\quad " if is_member and block.has_groups else ""
    cells: list[list[str]] = []
    for position, (cell, column) in enumerate(zip(row.cells, block.columns, strict=True)):
        lines = [_cell_line(line, "" if position else indent) for line in cell if line]
        if lines and not is_member and (column.numeric or position == 0):
            lines[0] = rf"\textbf{{{lines[0]}}}"
        cells.append(lines)
    for first, *others in zip_longest(*cells, fillvalue=""):
        if any(others) or not first.startswith(SMALL):
            yield " & ".join((first, *others)) + BREAK
        else:  # a note alone in its row takes all columns, so as not to widen the first
            yield rf"\multicolumn{{{len(cells)}}}{{@{{}}l@{{}}}}{{{first}}}" + BREAK


def _cell_line(line: Line, indent: str) -> str:
    shown = f"{indent}{_line(line)}"
    return f"{SMALL}{shown}}}" if is_muted(line) or not line else shown


def _figure(block: Diagram | Chart, label: str) -> str:
    from sphinx_llmsize.drawing import draw
    from sphinx_llmsize.templating import render

    drawn = render(template_name(block.kind, "tex"), picture=draw(block), titles={}).strip()
    legend = f". {_line(block.legend)}" if isinstance(block, Diagram) else ""
    note = f". {text(block.note)}" if isinstance(block, Chart) and block.note else ""
    caption = rf"\caption{{{text(block.title)}{legend}{note}}}"
    parts = (r"\begin{figure}[htbp]", r"\centering", drawn, caption, label, r"\end{figure}")
    return "\n".join(parts)
