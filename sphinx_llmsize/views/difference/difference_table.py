"""Table of a difference: a row for each change, with its cost in every column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sphinx_llmsize.blocks import Block, Cell, Note, Row, RowKind, Table, cell, number_columns
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.differences.change_groups import with_changes
from sphinx_llmsize.differences.costs import Cost
from sphinx_llmsize.differences.difference import Difference, SizeChange
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.changed_values import arrow_text, changed_name, key_change_text
from sphinx_llmsize.views.difference.counted_difference import (
    NO_COST,
    CountedDifference,
    shown_keys,
)
from sphinx_llmsize.views.difference.notes import notes
from sphinx_llmsize.views.difference.part_changes import (
    changed_parts,
    label_of_part,
    part_change_in_words,
)
from sphinx_llmsize.views.difference.signed import share_text, signed
from sphinx_llmsize.views.shared.folding import fitting
from sphinx_llmsize.views.shared.wording import capital, listed_text, title_first, title_in_sentence


def difference_table(counted: CountedDifference) -> tuple[Block, ...]:
    """The table, and notes on how it is counted."""
    difference = counted.difference
    names = {"one": title_in_sentence(difference.one), "other": title_in_sentence(difference.other)}
    columns = number_columns(_("Change"), *(_(column.label) for column in counted.columns))
    rows = (
        _model_row(counted, difference.one, difference.cost_of_one),
        *_change_rows(counted),
        _cost_row(counted, cell(_("Difference")), difference.total, RowKind.TOTAL),
        _model_row(counted, difference.other, difference.cost_of_other),
    )
    table = Table((_("From {one} to {other}", **names),), columns, rows)
    by_importance = range(1, len(columns))
    return (fitting(table, by_importance), *(Note((text,)) for text in notes(counted)))


def _model_row(counted: CountedDifference, model: Model, cost: Cost) -> Row:
    """The numbers of a whole model."""
    texts = (signed(column.number(cost)).removeprefix("+") for column in counted.columns)
    return Row((cell(title_first(model)), *map(cell, texts)), RowKind.TOTAL)


def _change_rows(counted: CountedDifference) -> Iterator[Row]:
    """A row for each change, and for what all of them cost together."""
    for change in counted.sizes:
        yield _cost_row(counted, _size_cell(counted.difference, change), change.cost)
    for part in counted.structure:
        before, after = part_change_in_words(counted.difference, part)
        text = arrow_text(before, after) if before != after else after
        label = label_of_part(counted.difference, part)
        yield _cost_row(counted, cell(_(label), text), part.cost)
    together = counted.difference.together
    if together != NO_COST:
        head = cell(_("Interaction of the changes"), _("beyond the cost of each alone"))
        yield _cost_row(counted, head, together)


def _size_cell(difference: Difference, change: SizeChange) -> Cell:
    """The names of the changed keys, then the values of each before and after."""
    models = (difference.one, difference.other)
    parts = changed_parts(difference, change)
    keys = _without_sources(shown_keys(change)) if parts else shown_keys(change)
    names = capital(listed_text([changed_name(models, each) for each in keys]))
    has_class = any(each.key == k.ARCHITECTURES for each in keys)
    sizes = _sizes_of_one(difference.one, change.keys) if has_class else ()
    lines = (
        _("{name}: {change}", name=_(label), change=arrow_text(*texts)) for label, texts in parts
    )
    return cell(names, *map(key_change_text, keys), *sizes, *lines)


def _without_sources(keys: Sequence[KeyChange]) -> Sequence[KeyChange]:
    """The changed keys without numbers that only one model has, for a size that has its own row.

    All of them if no other key changes.
    """
    others = [
        each
        for each in keys
        if each.key.symbol
        or each.key.kind is not ValueKind.COUNT
        or None not in {each.before, each.after}
    ]
    return others or keys


def _sizes_of_one(model: Model, keys: Sequence[KeyChange]) -> Iterator[str]:
    """``without decoder layers``: other sizes that only one of two classes of models has."""
    changed = with_changes(model, keys) or model
    one, other = model.architecture.symbols, changed.architecture.symbols
    known = {each.key.symbol for each in keys}
    for message, symbols, missing in (
        (N_("without {sizes}"), one, other),
        (N_("with {sizes}"), other, one),
    ):
        names = [_(s.meaning) for s in symbols if s not in missing and s not in known]
        if names:
            yield _(message, sizes=listed_text(names))


def _cost_row(
    counted: CountedDifference, head: Cell, cost: Cost, kind: RowKind = RowKind.MEMBER
) -> Row:
    """A cost in every column; that of a change with its share of the difference in parameters."""
    total = counted.difference.total.parameters
    share = ""
    if kind is RowKind.MEMBER and total and cost.parameters:
        share = share_text(Fraction(cost.parameters, total))
    first, *others = (signed(column.number(cost)) for column in counted.columns)
    return Row((head, cell(first, share), *map(cell, others)), kind)
