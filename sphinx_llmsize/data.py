"""Blocks as JSON objects: numbers, ids, texts without markup, and formulas in TeX."""

from __future__ import annotations

from typing import Any

from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Derivation,
    Document,
    Facts,
    Formula,
    Paragraph,
    Row,
    Table,
)
from sphinx_llmsize.charts import Chart, Curves, StackedBars
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.inline import Drawn, Line, NoteMark, Rounded

Data = dict[str, Any]
"""An object of JSON."""


def data(document: Document) -> list[Data]:
    """Each block as an object with its ``type``."""
    return [_block(block) for block in document]


def line_text(line: Line) -> str:
    """A line as text without references to drawings and notes; control characters are escaped.

    Rounded numbers have all their digits.
    """
    shown = (piece for piece in line if not isinstance(piece, (Drawn, NoteMark)))
    text = "".join(piece.exact if isinstance(piece, Rounded) else str(piece) for piece in shown)
    return visible(text.replace("\N{NO-BREAK SPACE}", " ")).strip()


def _block(block: Block) -> Data:
    """A block as an object; its ``type`` names the kind of block."""
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, (Formula, Derivation)):
        return _math(block)
    if isinstance(block, Diagram):
        return _diagram(block)
    if isinstance(block, Chart):
        return _chart(block)
    return _text(block)


def _text(block: Paragraph | Facts) -> Data:
    if isinstance(block, Paragraph):
        return {"type": "paragraph", "text": line_text(block.content)}
    facts = [
        {
            "id": fact.name,
            "symbol": str(fact.symbol),
            "value": visible(fact.value),
            "meaning": visible(fact.meaning),
        }
        for fact in block.facts
    ]
    return {"type": "facts", "facts": facts}


def _table(block: Table) -> Data:
    columns = [
        {"label": visible(column.label), "numeric": column.numeric} for column in block.columns
    ]
    rows = [{"kind": row.kind.value, "cells": _cells(row)} for row in block.rows]
    return {"type": "table", "caption": line_text(block.caption), "columns": columns, "rows": rows}


def _cells(row: Row) -> list[Data]:
    """The cells of a row, each with its lines and the names of its numbers in the role."""
    return [{"lines": cell_lines(cell), "ids": list(names)} for cell, names in row.named_cells]


def cell_lines(cell: Cell) -> list[str]:
    """The lines of a cell that are not empty."""
    return [text for line in cell if (text := line_text(line))]


def _math(block: Formula | Derivation) -> Data:
    if isinstance(block, Formula):
        return {"type": "formula", "tex": ["".join(line) for line in block.lines]}
    rows = [
        {
            "kind": row.kind.value,
            "name": visible(row.name),
            "symbols": "".join(row.symbols),
            "numbers": "".join(row.numbers),
            "result": row.result,
            "notes": list(row.notes),
            "id": row.number_name,
        }
        for row in block.rows
    ]
    return {"type": "derivation", "unit": block.unit, "rows": rows}


def _diagram(block: Diagram) -> Data:
    # two boxes can have several arrows between them; the pair is listed once
    pairs = dict.fromkeys((arrow.start.id, arrow.end.id) for arrow in block.arrows)
    return {
        "type": "diagram",
        "title": visible(block.title),
        "description": visible(block.description),
        "boxes": [_box(box) for box in block.boxes],
        "arrows": [list(pair) for pair in pairs],
    }


def _box(box: Box) -> Data:
    fields: Data = {
        "id": box.id,
        "title": visible(box.title),
        "kind": box.kind.value,
        "growth": box.growth.value,
        "lines": [line_text(line) for line in box.lines],
        "output": line_text(box.output),
    }
    if box.mark:
        fields["mark"] = box.mark.value
    return fields


def _chart(block: Chart) -> Data:
    fields: Data = {
        "type": "chart",
        "title": visible(block.title),
        "description": visible(block.description),
    }
    if isinstance(block, StackedBars):
        fields["parts"] = [visible(part.label) for part in block.parts]
        fields["bars"] = [
            {"label": visible(bar.label), "values": list(bar.values)} for bar in block.bars
        ]
    elif isinstance(block, Curves):
        fields["x"] = list(block.x)
        fields["curves"] = [
            {"label": visible(each.name), "values": list(each.values)} for each in block.series
        ]
    return fields
