"""Rows of a table that counts something of a model, each with its share of the total."""

from __future__ import annotations

from sphinx_llmsize.blocks import Bar, Cell, Column, Row, RowKind
from sphinx_llmsize.formats import percent, thousands
from sphinx_llmsize.translation import _

EMPTY: Cell = ((),)
OUTSIDE_LAYERS: tuple[Cell, Cell] = ((("–",),), (("–",),))
"""What stands in place of the number for a layer and the number of layers."""


def counted_columns(what: str, *, of: str) -> tuple[Column, ...]:
    """The columns: what is counted of each component, told ``of`` what it is made."""
    return (
        Column(_("Component")),
        Column(of),
        Column(_("{counted} per layer", counted=what), numeric=True),
        Column(_("Layers"), numeric=True),
        Column(what, numeric=True),
        Column(_("Share"), numeric=True),
    )


def counted_row(
    kind: RowKind,
    head: Cell,
    number: int,
    *,
    total: int,
    made: Cell = EMPTY,
    layers: tuple[Cell, Cell] = (EMPTY, EMPTY),
) -> Row:
    """A row of these columns.

    Args:
        kind: of the row.
        head: the component.
        number: what is counted, of all layers.
        total: what it is a share of.
        made: what of.
        layers: the number for a layer, and how many layers.
    """
    share = number / total
    return Row((head, made, *layers, number_cell(number), ((percent(share), Bar(share)),)), kind)


def number_cell(number: int) -> Cell:
    """``6,738,415,616``."""
    return ((thousands(number),),)
