"""Table of a difference for spreadsheets: old and new values, and all digits of the costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from sphinx_llmsize.blocks import Column, Row, Table, cell
from sphinx_llmsize.differences.costs import NO_COST, Cost
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.changed_values import changed_name, key_change_values
from sphinx_llmsize.views.difference.counted_difference import (
    ACTIVE,
    CostColumn,
    CountedDifference,
)
from sphinx_llmsize.views.difference.listed_changes import ListedChange, listed_changes
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
    for change in listed_changes(counted, with_every_key=True):
        yield _Line(change.name, *_old_and_new(change), change.cost)
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
    new += change.sizes  # "without decoder layers" describes the second model
    for _aspect, label, (before, after) in change.parts:
        old.append(_("{name}: {change}", name=_(label), change=before))
        new.append(_("{name}: {change}", name=_(label), change=after))
    return "; ".join(old), "; ".join(new)
