"""Lists of sizes, in lines that break between sizes."""

from __future__ import annotations

from rich.text import Text

from sphinx_llmsize.blocks import Fact, Facts
from sphinx_llmsize.terminal.texts import BOLD, MUTED, line, lines, side_by_side, text


def facts(block: Facts, width: int, *, has_heading: bool) -> Text:
    """The total, and sizes such as ``D = 4,096 hidden dimension   L = 32 layers``.

    Args:
        block: the sizes.
        width: width of the terminal, in characters.
        has_heading: True if a heading above has the model's name, which is left out here.
    """
    content = [side_by_side(map(_size, block.facts), width)]
    if block.total:
        total = block.total if has_heading else block.heading
        content.insert(0, Text.assemble(text(total, BOLD), " ", text(block.note, MUTED)))
    return lines(content)


def _size(fact: Fact) -> Text:
    """One size: symbol, value and meaning."""
    value, meaning = text(fact.value, BOLD), text(fact.meaning, MUTED)
    return Text.assemble(line((fact.symbol,)), " = ", value, " ", meaning)
