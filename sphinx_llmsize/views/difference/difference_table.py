"""Tables of a difference: a row for each change, with its cost; to read, and for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Column,
    Note,
    Row,
    RowKind,
    Table,
    cell,
)
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.differences.costs import NO_COST, Cost
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.changed_values import (
    arrow_text,
    changed_name,
    key_change_values,
)
from sphinx_llmsize.views.difference.costs_in_words import number_text, relative_change, signed
from sphinx_llmsize.views.difference.counted_difference import (
    ACTIVE,
    CostColumn,
    CountedDifference,
)
from sphinx_llmsize.views.difference.incomparable_layers import incomparable_layers, sum_text
from sphinx_llmsize.views.difference.listed_changes import ListedChange, listed_changes
from sphinx_llmsize.views.difference.notes import notes
from sphinx_llmsize.views.difference.pairs import Texts
from sphinx_llmsize.views.shared.folding import fitting
from sphinx_llmsize.views.shared.key_text import key_name
from sphinx_llmsize.views.shared.model_titles import title_first, title_in_sentence
from sphinx_llmsize.views.shared.wording import capital


def difference_table(counted: CountedDifference) -> tuple[Block, ...]:
    """The table, and notes on how it is counted."""
    difference = counted.difference
    columns = (Column(_("Change")), *(column.table_column for column in counted.columns))
    rows = (
        _model_row(counted, difference.one, difference.cost_of_one),
        *_change_rows(counted),
        _difference_row(counted),
        _model_row(counted, difference.other, difference.cost_of_other),
    )
    caption = _(
        "From {one} to {other}",
        one=title_in_sentence(difference.one),
        other=title_in_sentence(difference.other),
    )
    table = Table((caption,), columns, rows, names_above=True)
    order = range(1, len(columns))  # the further to the right, the less important
    return (fitting(table, order), *(Note((text,)) for text in notes(counted)))


def _model_row(counted: CountedDifference, model: Model, cost: Cost) -> Row:
    """The numbers of a whole model."""
    numbers = [number_text(column.number(cost)) for column in counted.columns]
    return Row(tuple(map(cell, (title_first(model), *numbers))), RowKind.TOTAL)


def _change_rows(counted: CountedDifference) -> Iterator[Row]:
    """A row for each change, and for the cost of all together beyond the sum of each alone."""
    for change in listed_changes(counted):
        yield _cost_row(counted, _change_cell(change), change.cost)
    interaction = counted.difference.interaction
    if interaction != NO_COST:
        head = cell(_("Interaction of the changes"), _("beyond the cost of each alone"))
        yield _cost_row(counted, head, interaction)


def _change_cell(change: ListedChange) -> Cell:
    """The name of a change; below it, values before and after, other sizes, and replaced parts."""
    lines = (
        _("{name}: {change}", name=_(part.label), change=arrow_text(*part.texts))
        for part in change.parts
    )
    # two texts are the same for lists shown by their length, and for parts of other shapes only
    values = (arrow_text(*pair) if pair[0] != pair[1] else pair[1] for pair in change.values)
    return cell(change.name, *values, *change.other_sizes, *lines)


def _difference_row(counted: CountedDifference) -> Row:
    """The difference in every column; below its name, what the percentages refer to."""
    difference = counted.difference
    row = _cost_row(counted, cell(_("Difference")), difference.total, RowKind.TOTAL)
    _name, *numbers = row.cells
    has_percentage = any(len(number) > 1 for number in numbers)
    if not has_percentage:
        return row
    reference = _("(in percent of {model})", model=title_in_sentence(difference.one))
    return replace(row, cells=(cell(_("Difference"), reference), *numbers))


def _cost_row(
    counted: CountedDifference, head: Cell, cost: Cost, kind: RowKind = RowKind.MEMBER
) -> Row:
    """A cost in every column; below each number, what it is relative to the first model's."""
    of_first_model = counted.difference.cost_of_one
    cells = []
    for column in counted.columns:
        number = column.number(cost)
        relative = relative_change(number, column.number(of_first_model))
        cells.append(cell(signed(number), relative))
    return Row((head, *cells), kind)


class _Line(NamedTuple):
    """A line of the table for spreadsheets: a model, a change, the interaction, or the sum.

    Attributes:
        name: first cell: the name of the model or of the change.
        old: values before the change; empty for lines that aren't changes.
        new: values after the change; empty for lines that aren't changes.
        cost: numbers of the line.
    """

    name: str
    old: str
    new: str
    cost: Cost


def spreadsheet_table(counted: CountedDifference) -> Table:
    """The table for spreadsheets (CSV): old and new values have columns of their own.

    Unlike the table to read, it has no percentages, always active parameters, and a line for every
    changed key, even if it costs nothing.
    """
    cost_columns = tuple(_columns(counted))
    columns = (
        *map(Column, (_("Change"), _("Old"), _("New"))),
        *(column.table_column for column in cost_columns),
    )
    rows = []
    for name, old, new, cost in _lines(counted):
        numbers = (number_text(column.number(cost)) for column in cost_columns)
        rows.append(Row(tuple(map(cell, (name, old, new, *numbers)))))
    return Table((_("Difference"),), columns, tuple(rows))


def _columns(counted: CountedDifference) -> Iterator[CostColumn]:
    """The columns of the difference, and that of active parameters even without experts."""
    parameters, *others = counted.columns
    yield parameters
    yield replace(ACTIVE, label=N_("Active parameters"))
    yield from (column for column in others if column != ACTIVE)


def _lines(counted: CountedDifference) -> Iterator[_Line]:
    """The first model, each change, their interaction and sum, and the second model."""
    difference = counted.difference
    yield _Line(title_first(difference.one), "", "", difference.cost_of_one)
    for change in listed_changes(counted, with_every_key=True):
        yield _Line(change.name, *_old_and_new(change), change.cost)
    if layers := incomparable_layers(difference):
        before, after = map(sum_text, layers)
        name = _("{name} (with the architecture)", name=capital(key_name(k.NUM_LAYERS)))
        yield _Line(name, before, after, NO_COST)
    for key_change in difference.with_structure:  # its cost is among those of the parts
        name = capital(changed_name(difference.models, key_change))
        label = _("{name} (with the architecture)", name=name)
        yield _Line(label, *key_change_values(key_change), NO_COST)
    if difference.interaction != NO_COST:
        yield _Line(_("Interaction of the changes"), "", "", difference.interaction)
    yield _Line(_("Difference"), "", "", difference.total)
    yield _Line(title_first(difference.other), "", "", difference.cost_of_other)


def _old_and_new(change: ListedChange) -> Texts:
    """The values of a change, and the parts that changed keys replace, before and after."""
    old = [before for before, _after in change.values]
    new = [after for _before, after in change.values]
    new += change.other_sizes  # "without decoder layers" describes the second model
    for _aspect, label, (before, after) in change.parts:
        old.append(_("{name}: {change}", name=_(label), change=before))
        new.append(_("{name}: {change}", name=_(label), change=after))
    return "; ".join(old), "; ".join(new)
