"""Documents as text of a given width, with or without colours."""

from __future__ import annotations

import io
from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.text import Text

from sphinx_llmsize.blocks import (
    Block,
    Derivation,
    Document,
    Fact,
    Facts,
    Formula,
    Heading,
    Paragraph,
    Table,
)
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.terminal.pipelines import pipeline
from sphinx_llmsize.terminal.stacked_bars import chart
from sphinx_llmsize.terminal.terminal_tables import derivation, table
from sphinx_llmsize.terminal.texts import BOLD, MUTED, line, lines, side_by_side, text
from sphinx_llmsize.views.shared.tex_as_text import plain_lines

WIDTH = 80
"""Width of plain text, in characters."""


def plain_text(document: Document, width: int = WIDTH) -> str:
    """A document as text without colours or other control characters.

    Args:
        document: the blocks.
        width: width in characters.
    """
    return document_text(document, "", make_console(width=width, is_terminal=False))


def make_console(*, width: int, is_terminal: bool) -> Console:
    """A console that writes to memory, with the colours that ``TERM``, ``NO_COLOR`` … allow."""
    return Console(
        file=io.StringIO(),
        width=width,
        force_terminal=is_terminal,
        color_system="auto" if is_terminal else None,
        force_jupyter=False,  # a notebook would show what is printed to memory
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )


def document_text(document: Document, title: str, console: Console) -> str:
    """A document as text with the width and the colours of a console.

    Args:
        document: the blocks.
        title: text of a heading; empty for none.
        console: the console.
    """
    with console.capture() as captured:
        for position, renderable in enumerate(_renderables(document, title, console)):
            if position:
                console.print()  # a blank line
            console.print(renderable)
    return "\n".join(row.rstrip() for row in captured.get().rstrip().split("\n"))


def _renderables(document: Document, title: str, console: Console) -> Iterator[RenderableType]:
    """The heading and the blocks, as objects that the library rich can print."""
    if title:
        yield text(title, f"{BOLD} underline")
    has_colours = console.color_system is not None and not console.no_color
    for block in document:
        if isinstance(block, Facts):
            yield _facts(block, console.width, has_heading=bool(title))
        else:
            yield _block(block, console.width, has_colours=has_colours)


def _block(block: Block, width: int, *, has_colours: bool) -> RenderableType:
    """A block other than a list of sizes."""
    if isinstance(block, Table):
        return table(block, width)
    if isinstance(block, Derivation):
        return derivation(block, width)
    if isinstance(block, Chart):
        return chart(block, width, has_colours=has_colours)
    if isinstance(block, Diagram):
        return pipeline(block, width)
    if isinstance(block, Formula):
        return lines(map(text, plain_lines(block)))
    assert isinstance(block, Paragraph)
    return line(block.content, BOLD if isinstance(block, Heading) else "")


def _facts(block: Facts, width: int, *, has_heading: bool) -> Text:
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
