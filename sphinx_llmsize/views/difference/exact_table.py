"""Table of a difference for spreadsheets: old and new values, and exact costs without a format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from sphinx_llmsize.blocks import Column, Row, Table, cell, number_columns
from sphinx_llmsize.differences.costs import Cost
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.changed_values import key_change_values
from sphinx_llmsize.views.difference.counted_difference import (
    ACTIVE,
    NO_COST,
    CostColumn,
    CountedDifference,
    shown_keys,
)
from sphinx_llmsize.views.difference.part_changes import label_of_part, part_change_in_words
from sphinx_llmsize.views.difference.signed import signed
from sphinx_llmsize.views.shared.key_text import key_name
from sphinx_llmsize.views.shared.wording import capital, listed_text, title_first

Change = tuple[str, str, str, Cost]
"""Name of a change, the values before and after it, and its cost."""


def exact_difference_table(counted: CountedDifference) -> Table:
    """The table of a difference, with a column for each number and for the values of a change."""
    costs = tuple(_costs(counted))
    labels = (_(column.label) for column in costs)
    columns = (*map(Column, (_("Change"), _("Old"), _("New"))), *number_columns("", *labels)[1:])
    rows = []
    for *texts, cost in _changes(counted):
        numbers = (_digits(column.number(cost)) for column in costs)
        rows.append(Row(tuple(map(cell, (*texts, *numbers)))))
    return Table((_("Difference"),), columns, tuple(rows))


def _costs(counted: CountedDifference) -> Iterator[CostColumn]:
    """The columns of the difference, and that of active parameters even without experts."""
    parameters, *others = counted.columns
    yield parameters
    yield replace(ACTIVE, label=N_("Active parameters"))
    yield from (column for column in others if column != ACTIVE)


def _changes(counted: CountedDifference) -> Iterator[Change]:
    """The first model, each change, all of them together, and the second model."""
    difference = counted.difference
    yield title_first(difference.one), "", "", difference.cost_of_one
    for change in counted.sizes:
        keys = shown_keys(change)
        old, new = zip(*map(key_change_values, keys), strict=True)
        name = capital(listed_text([key_name(each.key) for each in keys]))
        yield name, "; ".join(old), "; ".join(new), change.cost
    for part in counted.structure:
        before, after = part_change_in_words(difference, part)
        yield _(label_of_part(difference, part)), before, after, part.cost
    if difference.together != NO_COST:
        yield _("Interaction of the changes"), "", "", difference.together
    yield _("Difference"), "", "", difference.total
    yield title_first(difference.other), "", "", difference.cost_of_other


def _digits(number: Fraction | int) -> str:
    """``-805,306,368`` or ``0.333``: a number with all its digits, but at most three decimals."""
    return signed(number).removeprefix("+")
