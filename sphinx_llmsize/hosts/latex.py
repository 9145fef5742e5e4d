r"""LaTeX host: tables, formulas and pictures that a paper includes with ``\input``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from sphinx_llmsize.blocks import (
    Block,
    Column,
    Derivation,
    Fact,
    Facts,
    Formula,
    Heading,
    Paragraph,
    Row,
    RowKind,
    Table,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.escaping import slug
from sphinx_llmsize.inline import Line, is_muted
from sphinx_llmsize.latex_lines import latex_line, latex_symbol, latex_text
from sphinx_llmsize.template_files import template_name
from sphinx_llmsize.views.shared.display_tex import display_tex
from sphinx_llmsize.views.shared.role_name import role_name

if TYPE_CHECKING:
    from sphinx_llmsize.report import Report

PREAMBLE = (
    "% In the preamble:",
    r"%   \usepackage{amsmath,array,booktabs,graphicx,pict2e,textcomp,upquote,varwidth,xcolor}",
)
"""Comment with the packages that the including file needs."""
BREAK = r" \\"
"""End of a row of a table."""
SMALL = r"{\scriptsize "
"""Start of small text; a closing brace ends it."""
TEXT_COLUMN = r">{\raggedright\arraybackslash}V{0.5\linewidth}"
"""Column of texts or formulas, which break instead of being wider than half of the page's text."""
HEADING_LENGTH = 14
"""Largest number of characters in a line of a heading of numbers; longer words don't break."""
MAIN_IDS = frozenset({"", "table", "diagram"})
"""Ids of the blocks whose labels consist of the model's name alone."""
SHRINK_TO_FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Start of a box that shrinks a table or a formula wider than the text to the width of the text."""


def show(report: Report) -> str:
    """The blocks, without a heading; tables and figures have labels such as ``tab:llama-7b``."""
    models = slug(" ".join(map(role_name, report.models)))
    blocks = (_block(block, models) for block in report.blocks)
    return "\n\n".join(("\n".join(PREAMBLE), *blocks))


def _block(block: Block, models: str) -> str:
    """LaTeX of a block.

    Args:
        block: the block.
        models: names of the models as a slug, a part of the label of a table or a figure.
    """
    if isinstance(block, Table):
        return _table(block, _label("tab", models, block.id))
    if isinstance(block, (Formula, Derivation)):
        return _math(block)
    if isinstance(block, Facts):
        return _facts(block)
    if isinstance(block, Paragraph):
        content = latex_line(block.content)
        return rf"\subsubsection*{{{content}}}" if isinstance(block, Heading) else content
    return _figure(block, _label("fig", models, block.id))


def _label(kind: str, models: str, id: str) -> str:
    r"""A command such as ``\label{tab:llama-7b-memory}``.

    Args:
        kind: ``tab`` or ``fig``.
        models: names of the models as a slug: ``llama-7b``.
        id: id of the block: ``memory``. Those of :data:`MAIN_IDS` are left out.
    """
    suffix = "" if id in MAIN_IDS else f"-{id}"
    return rf"\label{{{kind}:{models}{suffix}}}"


def _facts(block: Facts) -> str:
    """A paragraph with the total and the sizes: ``$D = 4096$ hidden dimension; …``."""
    sentence = ";\n".join(map(_fact, block.facts)) + "."
    total = rf"\textbf{{{latex_text(block.heading)}}} {latex_text(block.note)}".rstrip()
    return f"{total}.\n{sentence}" if block.total else sentence


def _fact(fact: Fact) -> str:
    """``$D = 4096$ hidden dimension``."""
    value = rf"\text{{{latex_text(fact.value)}}}"
    return f"${latex_symbol(fact.symbol)} = {value}$ {latex_text(fact.meaning)}"


def _math(block: Formula | Derivation) -> str:
    """Displayed math, at most as wide as the text; a sum is small, like tables."""
    size = r"\footnotesize" if isinstance(block, Derivation) else ""
    style = "" if isinstance(block, Derivation) else r"\displaystyle"
    body = f"{SHRINK_TO_FIT}\n{size}${style}\n{display_tex(block)}$}}"
    return f"\\[\n{body}\n\\]"


def _table(block: Table, label: str) -> str:
    """A table of the package booktabs; each line of a cell has a row of its own."""
    alignment = "".join("r" if column.numeric else TEXT_COLUMN for column in block.columns)
    # the first text is a name, which may have words that are too long for such a column
    alignment = alignment.replace(TEXT_COLUMN, "l", 1)
    # a label also names the models, which readers of a paper need in the caption
    caption = latex_text(block.label) if block.label else latex_line(block.caption)
    head = " & ".join(map(_heading, block.columns))
    lines = [
        r"\begin{table}[htbp]",
        r"\centering\footnotesize",
        rf"\caption{{{caption}}}",
        label,
        SHRINK_TO_FIT,
        rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}",
        r"\toprule",
        head + BREAK,
        r"\midrule",
    ]
    previous = RowKind.TOTAL  # the head has a rule below
    for row in block.rows:
        if row.kind is RowKind.TOTAL and previous is not RowKind.TOTAL:
            lines.append(r"\midrule")
        lines += _row(row, block)
        previous = row.kind
    return "\n".join((*lines, r"\bottomrule", r"\end{tabular}}", r"\end{table}"))


def _heading(column: Column) -> str:
    """The heading of a column; that of numbers has several lines if it is long."""
    lines = wrap(column.label, HEADING_LENGTH, break_long_words=False, break_on_hyphens=False)
    if not column.numeric or column.symbols or len(lines) < 2:  # noqa: PLR2004 - a break
        return latex_line(column.heading)
    return (
        rf"\begin{{tabular}}[b]{{@{{}}r@{{}}}}{BREAK.join(map(latex_text, lines))}\end{{tabular}}"
    )


def _row(row: Row, block: Table) -> Iterator[str]:
    """Rows in LaTeX for a row of a table, one for each line of its cells."""
    is_member = row.kind is RowKind.MEMBER
    indent = r"\quad " if is_member and block.has_groups else ""
    cells: list[list[_CellLine]] = []
    for position, (cell, column) in enumerate(zip(row.cells, block.columns, strict=True)):
        is_first = position == 0
        lines = [_cell_line(line, indent if is_first else "") for line in cell if line]
        if lines and not is_member and (column.numeric or is_first):
            lines[0] = _CellLine(rf"\textbf{{{lines[0].tex}}}")
        cells.append(lines)
    for first, *others in zip_longest(*cells, fillvalue=_CellLine("")):
        is_alone = not any(each.tex for each in others)
        if is_alone and first.is_note:  # over all columns, so that the first stays narrow
            yield rf"\multicolumn{{{len(cells)}}}{{@{{}}l@{{}}}}{{{first.tex}}}" + BREAK
        else:
            yield " & ".join(each.tex for each in (first, *others)) + BREAK


class _CellLine(NamedTuple):
    """A line of a cell in LaTeX; a note is a small line below the others."""

    tex: str
    is_note: bool = False


def _cell_line(line: Line, indent: str) -> _CellLine:
    """A line of a cell, small if it is muted."""
    tex = f"{indent}{latex_line(line)}"
    return _CellLine(f"{SMALL}{tex}}}", is_note=True) if is_muted(line) else _CellLine(tex)


def _figure(block: Diagram | Chart, label: str) -> str:
    """A picture with its title and its legend or note as the caption."""
    # imported here, so that documents without pictures are written faster
    from sphinx_llmsize.drawing import draw
    from sphinx_llmsize.templating import render

    picture = render(template_name(block.kind, "tex"), picture=draw(block), titles={}).strip()
    legend = f". {latex_line(block.legend)}" if isinstance(block, Diagram) else ""
    note = f". {latex_text(block.note)}" if isinstance(block, Chart) and block.note else ""
    caption = rf"\caption{{{latex_text(block.title)}{legend}{note}}}"
    parts = (r"\begin{figure}[htbp]", r"\centering", picture, caption, label, r"\end{figure}")
    return "\n".join(parts)
