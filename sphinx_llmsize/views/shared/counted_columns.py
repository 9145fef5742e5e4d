"""Columns of counted tables: names, shapes, numbers of layers, counts and shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from sphinx_llmsize.blocks import Bar, Cell, cell
from sphinx_llmsize.formats import percent, thousands
from sphinx_llmsize.traced import approximate, quotient
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.numbers.part_selection import NUM_LAYERS, PER_LAYER
from sphinx_llmsize.views.shared.counted_table import EMPTY, CountedColumn, CountedRow, Names
from sphinx_llmsize.views.shared.folding import DASH, labelled, prominent


def component_column(heading: str) -> CountedColumn:
    """Column of the rows' names."""
    return CountedColumn(heading, lambda rows: (row.head for row in rows), numeric=False)


def source_column(heading: str, choose_lines: Callable[[Cell], Cell]) -> CountedColumn:
    """Column of the shapes or operations from which the counts are computed.

    Args:
        heading: heading of the column.
        choose_lines: function from a cell to the lines to show.
    """
    return CountedColumn(
        heading,
        lambda rows: (choose_lines(row.source) for row in rows),
        numeric=False,
        folded=lambda row: prominent(choose_lines(row.source)),
    )


def in_layer_column(
    own_heading: str = "", format_count: Callable[[int], str] = thousands
) -> CountedColumn:
    """Column of the counts in one layer.

    Args:
        own_heading: the author's heading; empty for the usual one.
        format_count: function that writes a count.
    """

    def factor(row: CountedRow) -> str:
        return "" if row.in_layer is None or row.layers == 1 else format_count(row.in_layer)

    def folded(row: CountedRow) -> Cell:
        number = factor(row)
        if not number:
            return EMPTY
        if own_heading:
            return (labelled((own_heading,), (number,)),)
        return cell(_("{number} per layer", number=number))

    def cells(rows: Sequence[CountedRow]) -> Iterable[Cell]:
        return (EMPTY if row.in_layer is None else cell(format_count(row.in_layer)) for row in rows)

    def names(row: CountedRow) -> Names:
        return () if row.in_layer is None else row.number_names(PER_LAYER)

    heading = own_heading or _("Per layer")
    return CountedColumn(heading, cells, folded=folded, factor=factor, names=names)


def layers_column(heading: str) -> CountedColumn:
    """Column of the numbers of layers that the rows count."""

    def factor(row: CountedRow) -> str:
        if row.layers is None:
            return ""
        text = ngettext("{number} layer", "{number} layers", row.layers, number=row.layers)
        return text.replace(" ", "\N{NO-BREAK SPACE}")

    def folded(row: CountedRow) -> Cell:
        return EMPTY if row.layers is None else cell(factor(row))

    def cells(rows: Sequence[CountedRow]) -> Iterable[Cell]:
        return (EMPTY if row.layers is None else cell(thousands(row.layers)) for row in rows)

    def names(row: CountedRow) -> Names:
        return () if row.layers is None else row.number_names(NUM_LAYERS)

    return CountedColumn(heading, cells, folded=folded, factor=factor, names=names)


def count_column(heading: str, format_count: Callable[[int], str] = thousands) -> CountedColumn:
    """Column of the counts in all layers."""

    def text(row: CountedRow) -> str:
        if not row.is_tied:
            return format_count(row.count)
        return DASH if row.has_tied_note else _("tied")

    def cells(rows: Sequence[CountedRow]) -> Iterable[Cell]:
        return (cell(text(row)) for row in rows)

    def names(row: CountedRow) -> Names:
        return () if row.is_tied else row.number_names()

    return CountedColumn(heading, cells, names=names)


def share_column(heading: str, total: int) -> CountedColumn:
    """Column of the counts relative to the total, with bars."""

    def cells(rows: Sequence[CountedRow]) -> Iterable[Cell]:
        return (share_cell(quotient(row.count, total)) if row.has_share else EMPTY for row in rows)

    def names(row: CountedRow) -> Names:
        return row.number_names(words=("share",)) if row.has_share else ()

    return CountedColumn(heading, cells, names=names)


def share_cell(share: Fraction) -> Cell:
    """``31.8%`` with a bar."""
    return ((percent(share), Bar(approximate(share))),)
