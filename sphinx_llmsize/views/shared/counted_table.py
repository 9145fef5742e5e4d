"""Tables that count something in every stage, such as parameters, with shares of the total."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Bar, Cell, Column, Row, RowKind, Table, cell
from sphinx_llmsize.formats import percent, thousands
from sphinx_llmsize.traced import approximate, quotient
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.author_labels import Labels, group_label
from sphinx_llmsize.views.numbers.parts import NUM_LAYERS, PER_LAYER
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.shared.folding import DASH, prominent
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
        source: the shape or operation from which the count is computed; EMPTY for sums of others.
        stacks: the layers; empty outside of them.
        in_layer: the count in one layer; None outside the layers, and if layers differ.
        layers: the number of layers; None whenever ``in_layer`` is.
        active: the part of the count that one token uses; None if that isn't counted.
        kind: MEMBER for a row of a group, GROUP for its heading, or TOTAL.
        has_share: whether the count is a part of the total.
        is_tied: whether the weights are those of another row and counted there.
        name: name of the count in the role ``llm-size``, such as ``qkv`` or ``flops.qkv``; empty
            for none.
        words: words after the name, such as the number of tokens.
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

    def named(self, *suffixes: str, words: Names = ()) -> Names:
        """The name of a number of the row, such as ``qkv.per_layer``; none if it has no name."""
        name = ".".join((self.name, *suffixes))
        return (with_words(name, *self.words, *words),) if self.name else ()


@dataclass(frozen=True)
class CountedColumn:
    """A column of counts.

    Attributes:
        heading: text of its heading.
        cells: function from all rows to the cells of the column.
        numeric: aligned to the right.
        folded: function from a row to the lines that stand for the cell below the row's name
            where there is no space for the column; None for a column that is always there.
        factor: function from a row to its part of a product of columns that fold, such as
            ``67,108,864 × 32 layers``; None for a column that isn't a factor.
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
    """The row of a stage or tensor, from its count in one layer and the number of layers."""
    stage, stacks = occurrence.stage, occurrence.stacks
    row = CountedRow(head, in_layer * layers, stage.id, stage.group, source, stacks)
    return replace(row, in_layer=in_layer, layers=layers) if stacks else row


def grouped(
    members: Sequence[CountedRow], labels: Labels, *, all_headings: bool
) -> Iterator[CountedRow]:
    """The heading of each group with the sum of its rows, followed by these rows.

    Args:
        members: rows of stages or tensors.
        labels: the author's own labels, by id of a group.
        all_headings: whether a group with one row has a heading too; else the row replaces it.
    """
    for group in Group:
        found = [each for each in members if each.group is group]
        if len(found) == 1 and not all_headings:
            yield replace(found[0], kind=RowKind.GROUP)
        elif found:
            yield _heading(group_label(labels, group, [each.id for each in found]), found)
            yield from found


def _heading(label: str, members: Sequence[CountedRow]) -> CountedRow:
    """The heading of a group, with the sum of its rows.

    It has the count in one layer if all rows are in the same layers.
    """
    first, active = members[0], [member.active for member in members]
    assert first.group
    # "flops" of "flops.qkv:2048"; numbers of parameters, such as "qkv", have no words
    quantity = first.name.partition(".")[0] if first.words else ""
    in_same_layers = first.stacks and all(member.stacks == first.stacks for member in members)
    return CountedRow(
        cell(label),
        sum(member.count for member in members),
        group=first.group,
        in_layer=sum(m.in_layer or 0 for m in members) if in_same_layers else None,
        layers=first.layers if in_same_layers else None,
        active=None if None in active else sum(filter(None, active)),
        kind=RowKind.GROUP,
        has_share=any(member.has_share for member in members),
        is_tied=all(member.is_tied for member in members),
        name=".".join(filter(None, (quantity, first.group.value))),
        words=first.words,
    )


def counted_table(
    caption: str, rows: Sequence[CountedRow], columns: Sequence[CountedColumn]
) -> Table:
    """The table of these rows; the first column has their names."""
    headings = tuple(Column(c.heading, c.numeric, folds=c.folded is not None) for c in columns)
    cells = zip(*(column.cells(rows) for column in columns), strict=True)
    made = (
        Row(tuple(each), row.kind, _names(row, columns), _folded(row, columns))
        for row, each in zip(rows, cells, strict=True)
    )
    return Table((caption,), headings, tuple(made))


def _names(row: CountedRow, columns: Sequence[CountedColumn]) -> tuple[Names, ...]:
    return tuple(column.names(row) for column in columns)


def _folded(row: CountedRow, columns: Sequence[CountedColumn]) -> Cell:
    """The lines of all columns that fold; several factors are one line, their product."""
    factors = [column.factor(row) for column in columns if column.factor]
    product = FACTOR.join(filter(None, factors)) if len(factors) > 1 else ""
    cells = (c.folded(row) for c in columns if c.folded and not (product and c.factor))
    lines = [line for each in cells for line in each if line]
    return (*lines, *(((product,),) if product else ()))


def component_column(heading: str) -> CountedColumn:
    """The names of the rows."""
    return CountedColumn(heading, lambda rows: (row.head for row in rows), numeric=False)


def source_column(
    heading: str, choose: Callable[[Cell], Cell] = lambda cell: cell
) -> CountedColumn:
    """The shapes or operations, of which ``choose`` chooses lines."""
    return CountedColumn(
        heading,
        lambda rows: (choose(row.source) for row in rows),
        numeric=False,
        folded=lambda row: prominent(choose(row.source)),
    )


def in_layer_column(heading: str, form: Callable[[int], str] = thousands) -> CountedColumn:
    """The counts in one layer."""

    def factor(row: CountedRow) -> str:
        return "" if row.in_layer is None or row.layers == 1 else form(row.in_layer)

    def folded(row: CountedRow) -> Cell:
        return cell(_("{number} per layer", number=number)) if (number := factor(row)) else EMPTY

    def cells(rows: Sequence[CountedRow]) -> Iterable[Cell]:
        return (EMPTY if row.in_layer is None else cell(form(row.in_layer)) for row in rows)

    def names(row: CountedRow) -> Names:
        return () if row.in_layer is None else row.named(PER_LAYER)

    return CountedColumn(heading, cells, folded=folded, factor=factor, names=names)


def layers_column(heading: str) -> CountedColumn:
    """The numbers of layers."""

    def text(row: CountedRow) -> str:
        if row.layers is None:
            return ""
        text = ngettext("{number} layer", "{number} layers", row.layers, number=row.layers)
        return text.replace(" ", "\N{NO-BREAK SPACE}")

    return CountedColumn(
        heading,
        lambda rows: (EMPTY if r.layers is None else cell(thousands(r.layers)) for r in rows),
        folded=lambda row: EMPTY if row.layers is None else cell(text(row)),
        factor=text,
        names=lambda row: () if row.layers is None else row.named(NUM_LAYERS),
    )


def count_column(heading: str, form: Callable[[int], str] = thousands) -> CountedColumn:
    """The counts in all layers."""

    def cells(rows: Sequence[CountedRow]) -> Iterable[Cell]:
        return (cell(DASH if row.is_tied else form(row.count)) for row in rows)

    return CountedColumn(heading, cells, names=lambda row: () if row.is_tied else row.named())


def share_column(heading: str, total: int) -> CountedColumn:
    """The counts relative to the total, with bars."""

    def cells(rows: Sequence[CountedRow]) -> Iterable[Cell]:
        return (share_cell(quotient(row.count, total)) if row.has_share else EMPTY for row in rows)

    def names(row: CountedRow) -> Names:
        return row.named(words=("share",)) if row.has_share else ()

    return CountedColumn(heading, cells, names=names)


def share_cell(share: Fraction) -> Cell:
    """``31.8%`` with a bar."""
    return ((percent(share), Bar(approximate(share))),)
