"""Table of a difference for spreadsheets: old and new values, and all digits of the costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from sphinx_llmsize.blocks import Column, Row, Table, cell
from sphinx_llmsize.differences.costs import NO_COST, Cost
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.changed_values import changed_name, key_change_values
from sphinx_llmsize.views.difference.changes_without_cost import changes_without_cost
from sphinx_llmsize.views.difference.counted_difference import (
    ACTIVE,
    CostColumn,
    CountedDifference,
)
from sphinx_llmsize.views.difference.part_changes import label_of_part, part_change_in_words
from sphinx_llmsize.views.difference.rows_of_changes import RowOfChange, row_of_change
from sphinx_llmsize.views.difference.signed import number_text
from sphinx_llmsize.views.difference.text_pairs import Texts
from sphinx_llmsize.views.shared.wording import capital, title_first


class _Line(NamedTuple):
    """A line of the table: a change or a model.

    Attributes:
        name: name of the change or model.
        old: values before the change; empty for a model.
        new: values after the change; empty for a model.
        cost: cost of the change or model.
    """

    name: str
    old: str
    new: str
    cost: Cost


def exact_difference_table(counted: CountedDifference) -> Table:
    """The table of a difference, with a column for each number and for the values of a change."""
    cost_columns = tuple(_columns(counted))
    columns = (
        *map(Column, (_("Change"), _("Old"), _("New"))),
        *(Column(_(column.label), numeric=True) for column in cost_columns),
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
    for change in difference.config_changes:
        row = row_of_change(difference, change)
        yield _Line(row.name, *_old_and_new(row), change.cost)
    for part in counted.shown_structure_changes:
        old, new = part_change_in_words(difference, part)
        yield _Line(_(label_of_part(difference, part)), old, new, part.cost)
    for free in changes_without_cost(counted, difference.config_changes):
        yield _Line(_(free.label), *free.texts, NO_COST)
    for key in difference.with_structure:  # its cost is among those of the parts
        name = capital(changed_name(difference.models, key))
        label = _("{name} (with the architecture)", name=name)
        yield _Line(label, *key_change_values(key), NO_COST)
    if difference.interaction != NO_COST:
        yield _Line(_("Interaction of the changes"), "", "", difference.interaction)
    yield _Line(_("Difference"), "", "", difference.total)
    yield _Line(title_first(difference.other), "", "", difference.cost_of_other)


def _old_and_new(row: RowOfChange) -> Texts:
    """The values of changed keys, and the parts that change with them, before and after."""
    old = [before for before, _after in row.values]
    new = [after for _before, after in row.values]
    new += row.sizes  # "without decoder layers" describes the second model
    for _aspect, label, (before, after) in row.parts:
        old.append(_("{name}: {change}", name=_(label), change=before))
        new.append(_("{name}: {change}", name=_(label), change=after))
    return "; ".join(old), "; ".join(new)
