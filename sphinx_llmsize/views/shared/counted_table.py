"""Tables that count something in every stage, such as parameters, with shares of the total."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Cell, Column, Line, Row, RowKind, Table, cell
from sphinx_llmsize.views.author_labels import Labels, group_label
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.shared.occurrences import Occurrence

Names = tuple[str, ...]
"""Names of the numbers in a cell, line by line, as authors write them in the role ``llm-size``."""
EMPTY: Cell = ((),)
"""A cell without text."""
FACTOR = " ×\N{NO-BREAK SPACE}"
"""Sign between factors, before which a line may break, but not after."""


@dataclass(frozen=True)
class CountedRow:
    """A row: a stage, a tensor, a group of them or a total, with its count.

    Attributes:
        head: the first cell: name and notes.
        count: the count in all layers.
        id: id of the stage; empty for other rows.
        group: None for totals.
        source: the shape or operation from which the count is computed; EMPTY for a sum of rows.
        stacks: the stacks of the layers; empty outside the layers.
        in_layer: the count in one layer; None outside the layers, and if layers differ.
        layers: the number of layers; None whenever ``in_layer`` is.
        active: the part of the count that one token uses; None if that isn't counted.
        kind: MEMBER for a row of a group, GROUP for its heading, or TOTAL.
        has_share: True if the count is a part of the total.
        is_tied: True if the weights are those of another row and counted there.
        name: name of the count in the role ``llm-size``, such as ``qkv`` or ``flops.qkv``; empty
            for none.
        words: words after the name in the role, such as the number of tokens.
        name_lines: see :attr:`Row.name_lines`.
        group_note: a note that the heading of a group has in place of its rows if they all have
            the same one, such as the number of experts.
    """

    head: Cell
    count: int
    id: str = ""
    group: Group | None = None
    source: Cell = EMPTY
    stacks: tuple[Stack, ...] = ()
    in_layer: int | None = None
    layers: int | None = None
    active: int | None = None
    kind: RowKind = RowKind.MEMBER
    has_share: bool = True
    is_tied: bool = False
    name: str = ""
    words: tuple[object, ...] = ()
    name_lines: int | None = None
    group_note: str = ""

    @property
    def has_tied_note(self) -> bool:
        """True if a note in the head names the weights that the row uses; headings have none."""
        return self.is_tied and bool(self.id)

    def number_names(self, *suffixes: str, words: Names = ()) -> Names:
        """The name of a number of the row: ``("qkv.per_layer",)``; empty if it has no name.

        Args:
            suffixes: ids after the name of the count, such as ``per_layer``.
            words: words after the name, such as ``share``.
        """
        if not self.name:
            return ()
        name = ".".join((self.name, *suffixes))
        return (with_words(name, *self.words, *words),)


@dataclass(frozen=True)
class CountedColumn:
    """A column of counts.

    Attributes:
        heading: text of its heading.
        cells: function from all rows to the cells of the column.
        numeric: True for numbers, which are aligned to the right.
        folded: function from a row to the lines that replace the cell, below the row's name,
            where there is no space for the column; None for a column that is always shown.
        factor: function from a row to the column's factor in a product, ``67,108,864 × 32 layers``,
            that replaces the folded lines if several columns are factors; None for other columns.
        names: function from a row to the names of the cell's numbers in the role ``llm-size``.
    """

    heading: str
    cells: Callable[[Sequence[CountedRow]], Iterable[Cell]]
    numeric: bool = True
    folded: Callable[[CountedRow], Cell] | None = None
    factor: Callable[[CountedRow], str] | None = None
    names: Callable[[CountedRow], Names] = lambda row: ()


def occurrence_row(
    occurrence: Occurrence, head: Cell, source: Cell, in_layer: int, layers: int
) -> CountedRow:
    """The row of a stage or tensor, from its count in one layer and the number of layers.

    Args:
        occurrence: the stage, with its stacks.
        head: first cell: the name, its layers if another row has the same name, and notes.
        source: the shape or operation from which the count is computed.
        in_layer: the count in one layer.
        layers: the number of layers.
    """
    stage, stacks = occurrence.stage, occurrence.stacks
    return CountedRow(
        head,
        in_layer * layers,
        stage.id,
        stage.group,
        source,
        stacks,
        in_layer=in_layer if stacks else None,
        layers=layers if stacks else None,
        name_lines=2 if occurrence.where else 1,
    )


def grouped(
    members: Sequence[CountedRow], labels: Labels, *, all_headings: bool
) -> Iterator[CountedRow]:
    """The heading of each group with the sum of its rows, followed by these rows.

    Args:
        members: rows of stages or tensors.
        labels: the author's own labels, by id of a group.
        all_headings: True if a group with one row has a heading too; otherwise, the row replaces
            the heading.
    """
    for group in Group:
        rows = [row for row in members if row.group is group]
        if len(rows) == 1 and not all_headings:
            yield replace(_with_note(rows[0]), kind=RowKind.GROUP)
        elif rows:
            heading = _heading(group_label(labels, group), rows)
            notes = [row.group_note for row in rows if row.group_note]
            if len(notes) > 1 and len(set(notes)) == 1:
                yield _with_note(replace(heading, group_note=notes[0]))
                yield from rows
            else:
                yield heading
                yield from map(_with_note, rows)


def _with_note(row: CountedRow) -> CountedRow:
    """The row with the note for its group in its own head."""
    return replace(row, head=(*row.head, *cell("", row.group_note)[1:]))


def _heading(label: str, members: Sequence[CountedRow]) -> CountedRow:
    """The heading of a group, with the sum of its rows.

    It has the count in one layer if all rows are in the same layers.
    """
    first = members[0]
    assert first.group
    name = first.group.value
    if first.words and first.name:
        # rows of FLOPs have words: the group of "flops.qkv:2048" is "flops.attention:2048"
        quantity = first.name.partition(".")[0]
        name = f"{quantity}.{name}"
    in_same_layers = first.stacks and all(member.stacks == first.stacks for member in members)
    active = [member.active for member in members if member.active is not None]
    return CountedRow(
        cell(label),
        sum(member.count for member in members),
        group=first.group,
        in_layer=sum(m.in_layer or 0 for m in members) if in_same_layers else None,
        layers=first.layers if in_same_layers else None,
        active=sum(active) if len(active) == len(members) else None,
        kind=RowKind.GROUP,
        has_share=any(member.has_share for member in members),
        is_tied=all(member.is_tied for member in members),
        name=name,
        words=first.words,
    )


def counted_table(
    caption: Line, rows: Sequence[CountedRow], columns: Sequence[CountedColumn]
) -> Table:
    """The table of these rows; the first column shows their heads."""
    headings = tuple(Column(c.heading, c.numeric, folds=c.folded is not None) for c in columns)
    cells_by_row = zip(*(column.cells(rows) for column in columns), strict=True)
    table_rows = []
    for row, cells in zip(rows, cells_by_row, strict=True):
        names = tuple(column.names(row) for column in columns)
        table_rows.append(Row(cells, row.kind, names, _folded(row, columns), row.name_lines))
    return Table(caption, headings, tuple(table_rows))


def _folded(row: CountedRow, columns: Sequence[CountedColumn]) -> Cell:
    """The lines of all columns that fold; if several are factors, their product is one line."""
    factors = [column.factor(row) for column in columns if column.factor]
    product = FACTOR.join(filter(None, factors)) if len(factors) > 1 else ""
    lines: list[Line] = []
    for column in columns:
        is_in_product = bool(product and column.factor)
        if column.folded and not is_in_product:
            lines += filter(None, column.folded(row))
    if product:
        lines.append((product,))
    return tuple(lines)
