"""Blocks of a document: the output of views and the input of hosts.

Blocks hold values, never markup. Each host renders them in its own medium.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Union

from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.formats import in_tex
from sphinx_llmsize.inline import (
    Bar,
    Code,
    Drawn,
    Inline,
    Key,
    KeyItem,
    Line,
    Link,
    Muted,
    Name,
    NoteMark,
    OfPreset,
    Rounded,
    Superscript,
    Variable,
)
from sphinx_llmsize.row_kinds import RowKind, SumRowKind
from sphinx_llmsize.tables import Cell, Column, Row, Table, cell, number_columns, symbols_column
from sphinx_llmsize.translation import _

__all__ = [
    "Bar",
    "Block",
    "Cell",
    "Code",
    "Column",
    "Derivation",
    "Document",
    "Drawn",
    "Fact",
    "Facts",
    "Formula",
    "Heading",
    "Inline",
    "Key",
    "KeyItem",
    "Line",
    "Link",
    "Muted",
    "Name",
    "Note",
    "NoteMark",
    "OfPreset",
    "Paragraph",
    "Rounded",
    "Row",
    "RowKind",
    "SumRow",
    "SumRowKind",
    "Superscript",
    "Table",
    "Tex",
    "Variable",
    "cell",
    "number_columns",
    "symbols_column",
]


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    content: Line


@dataclass(frozen=True)
class Heading(Paragraph):
    """Name of a view, above its blocks."""


@dataclass(frozen=True)
class Note(Paragraph):
    """A remark on the table before it.

    Attributes:
        is_of_preset: it is about the released model, or about the author's changes to it, so that
            it is hidden once a reader changes a size on an interactive page.
        turned_position: position of the note below a table that is turned on a phone, from 1 on;
            0 if the notes then have the same order.
    """

    is_of_preset: bool = False
    turned_position: int = 0


@dataclass(frozen=True)
class Fact:
    """A size of a model with its symbol and meaning.

    Attributes:
        symbol: ``D``.
        value: ``4,096``.
        meaning: ``hidden dimension``.
        name: name of the number in the role ``llm-size``, ``hidden_dim``; empty if it has none.
        has_control: a reader of the interactive page can set it; the control shows the same.
    """

    symbol: Variable
    value: str
    meaning: str
    name: str = ""
    has_control: bool = False


@dataclass(frozen=True)
class Facts:
    """List of sizes, shown above a table.

    Attributes:
        facts: the sizes; the main ones, which readers look for, come first.
        name: name of the model, as a heading; empty for none.
        total: ``6,738,415,616 parameters``, after the name.
        note: ``(6.74B)``, after the total.
    """

    facts: tuple[Fact, ...]
    name: str = ""
    total: str = ""
    note: str = ""

    @property
    def heading(self) -> str:
        """``LLaMA 7B: 6,738,415,616 parameters``; the total alone if there is no name."""
        if not self.name or not self.total:
            return self.name or self.total
        return _("{model}: {total}", model=self.name, total=self.total)


Tex = tuple[str, ...]
"""TeX in pieces, between which a line may break."""


@dataclass(frozen=True)
class Formula:
    """Displayed equations, one per line.

    Attributes:
        lines: TeX of the equations.
        number_names: name in the role ``llm-size`` of each line's result, empty if it has none;
            empty if no line has a name.
    """

    lines: tuple[Tex, ...]
    number_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Typeset the separators in numbers."""
        lines = tuple(tuple(map(in_tex, line)) for line in self.lines)
        object.__setattr__(self, "lines", lines)


@dataclass(frozen=True)
class SumRow:
    """A row of a sum: ``FFN: 3 D F = 3 × 4,096 × 11,008 = 135,266,304``.

    Attributes:
        name: name of the addend.
        symbols: TeX of the addend in symbols; empty if there is none.
        numbers: TeX of the addend in numbers; empty if it would only repeat the result.
        result: value of the addend; empty for a heading.
        kind: role of the row in the sum.
        notes: the result in other units.
        number_name: name of the result in the role ``llm-size``; empty if it has none.
    """

    name: str
    symbols: Tex
    numbers: Tex
    result: str
    kind: SumRowKind = SumRowKind.ADDEND
    notes: tuple[str, ...] = ()
    number_name: str = ""

    @property
    def result_symbol(self) -> Tex:
        """The symbols of a row without numbers: that of the result."""
        return () if self.numbers else self.symbols

    def __post_init__(self) -> None:
        """Typeset the separators in numbers."""
        object.__setattr__(self, "symbols", tuple(map(in_tex, self.symbols)))
        object.__setattr__(self, "numbers", tuple(map(in_tex, self.numbers)))


@dataclass(frozen=True)
class Derivation:
    """A sum with a row for each addend.

    Attributes:
        unit: heading of the results: ``Parameters``.
        rows: addends, brackets and the total, in order.
    """

    unit: str
    rows: tuple[SumRow, ...]


Block = Union[Paragraph, Facts, Table, Formula, Derivation, Diagram, Chart]
"""A block of a document; in the architecture, ``Block`` means something else: steps of a layer."""
Document = tuple[Block, ...]
"""The blocks that a directive shows, from top to bottom."""


def with_caption(blocks: Document, caption: str) -> Document:
    """The blocks with the author's caption for the first table; an empty one changes nothing."""
    if not caption:
        return blocks
    for position, block in enumerate(blocks):
        if isinstance(block, Table):
            table = replace(block, caption=(caption,), label="")
            return (*blocks[:position], table, *blocks[position + 1 :])
    return blocks


def with_ids(view: str, blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks of a view, with ids such as ``memory`` and ``memory-2`` for tables and pictures.

    Tables and pictures are numbered separately, so the first of each have the same id.
    """
    tables = pictures = 0
    for block in blocks:
        if isinstance(block, Table):
            tables += 1
            yield replace(block, id=_id(view, tables))
        elif isinstance(block, (Chart, Diagram)):
            pictures += 1
            yield replace(block, id=_id(view, pictures))
        else:
            yield block


def _id(view: str, number: int) -> str:
    """Id of a table or picture: the view's name, with a number from the second one on."""
    return view if number == 1 else f"{view}-{number}"
