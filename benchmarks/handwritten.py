"""Blocks as source text, as a person would type them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from markup import Markup

from sphinx_llmsize.blocks import (
    Block,
    Derivation,
    Diagram,
    Document,
    Fact,
    Facts,
    Formula,
    Inline,
    Line,
    Table,
    Variable,
)
from sphinx_llmsize.hosts.sphinx.directive_output import mermaid_source
from sphinx_llmsize.inline import FormulaText
from sphinx_llmsize.views.shared.display_tex import display_tex


def source_lines(document: Document, markup: Markup) -> list[str]:
    """Lines of a document in a markup language, with a blank line after each block."""
    lines: list[str] = []
    for block in document:
        lines += [*_block(block, markup), ""]
    return lines


def _block(block: Block, markup: Markup) -> list[str]:
    if isinstance(block, Facts):
        return _facts(block, markup)
    if isinstance(block, Table):
        header = [[column.label] for column in block.columns]
        rows = [[_paragraphs(cell, markup) for cell in row.cells] for row in block.rows]
        return markup.table(block.title, [header, *rows])
    if isinstance(block, (Derivation, Formula)):
        return markup.formula(display_tex(block).splitlines())
    if isinstance(block, Diagram):
        return markup.diagram(_line(block.legend, markup), _mermaid(block))
    return [_line(block.content, markup)]


def _facts(facts: Facts, markup: Markup) -> list[str]:
    """The model's name and total, and a list of sizes."""
    lines = [f"**{facts.heading}** {facts.note}", ""] if facts.name else []
    lines += [f"- {_fact(fact, markup)}" for fact in facts.facts]
    return lines


def _fact(fact: Fact, markup: Markup) -> str:
    return _line((fact.symbol, f" = {fact.value} {fact.meaning}"), markup)


def _paragraphs(cell: Sequence[Line], markup: Markup) -> list[str]:
    return [_line(line, markup) for line in cell if line]


def _line(line: Line, markup: Markup) -> str:
    """The text of a line, with an escaped space where reStructuredText needs a separator."""
    result = ""
    is_after_symbol = False
    for piece in line:
        text, is_symbol = _piece(piece, markup), isinstance(piece, Variable)
        begins = is_symbol and _needs_separator(result[-1:])
        ends = is_after_symbol and _needs_separator(text[:1])
        if begins or ends:
            result += markup.separator
        result += text
        is_after_symbol = is_symbol
    return result


def _needs_separator(character: str) -> bool:
    """True if reStructuredText's inline markup cannot begin or end directly beside it."""
    if not character:
        return False
    is_space_or_punctuation = unicodedata.category(character)[0] in "ZP"
    return not is_space_or_punctuation


def _piece(piece: Inline, markup: Markup) -> str:
    if isinstance(piece, Variable):
        return markup.symbol(piece.base, piece.subscript)
    if isinstance(piece, FormulaText):
        return piece.typeset
    return str(piece)  # empty for a bar, whose number is in the same cell


def _mermaid(diagram: Diagram) -> list[str]:
    """Mermaid source with plain characters in place of numeric codes."""
    source = mermaid_source(diagram, ())
    return re.sub(r"#(\d+);", lambda found: chr(int(found[1])), source).splitlines()
