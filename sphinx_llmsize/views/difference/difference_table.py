"""Table of a difference: a row for each change, with its cost in every column."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sphinx_llmsize.blocks import Block, Cell, Note, Row, RowKind, Table, cell, number_columns
from sphinx_llmsize.differences.costs import Cost
from sphinx_llmsize.differences.difference import SizeChange
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.changed_values import arrow, arrow_text
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.notes import notes
from sphinx_llmsize.views.difference.parts_in_words import LABELS, part_in_words
from sphinx_llmsize.views.difference.signed import share_text, signed
from sphinx_llmsize.views.shared.folding import fitting
from sphinx_llmsize.views.shared.key_text import key_name
from sphinx_llmsize.views.shared.wording import capital, listed_text, title_first, title_in_sentence


def difference_table(counted: CountedDifference) -> tuple[Block, ...]:
    """The table, and notes on how it is counted."""
    found = counted.difference
    names = {"one": title_in_sentence(found.one), "other": title_in_sentence(found.other)}
    columns = number_columns(_("Change"), *(_(column.label) for column in counted.columns))
    rows = (
        _model_row(counted, found.one, found.cost_of_one),
        *_change_rows(counted),
        _cost_row(counted, cell(_("Difference")), found.total, RowKind.TOTAL),
        _model_row(counted, found.other, found.cost_of_other, RowKind.TOTAL),
    )
    table = Table((_("From {one} to {other}", **names),), columns, rows)
    order = range(1, len(columns))
    return (fitting(table, order), *(Note((text,)) for text in notes(counted)))


def _model_row(
    counted: CountedDifference, model: Model, cost: Cost, kind: RowKind = RowKind.TOTAL
) -> Row:
    """The numbers of a whole model."""
    numbers = (cell(_number(column.number(cost))) for column in counted.columns)
    return Row((cell(title_first(model)), *numbers), kind)


def _change_rows(counted: CountedDifference) -> Iterator[Row]:
    """A row for each change, and for what all of them cost together."""
    found = counted.difference
    for change in counted.sizes:
        yield _cost_row(counted, _size_cell(change), change.cost)
    for part in counted.structure:
        before, after = (part_in_words(model, part.aspect) for model in (part.before, part.after))
        text = arrow_text(before, after) if before != after else after
        yield _cost_row(counted, cell(_(LABELS[part.aspect]), text), part.cost)
    if found.together != Cost():
        head = cell(_("Interaction of the changes"), _("beyond the cost of each alone"))
        yield _cost_row(counted, head, found.together)


def _size_cell(change: SizeChange) -> Cell:
    """The name of a key with its values, or of several: of sizes, if there are any."""
    sizes = [each for each in change.keys if each.key.symbol] or list(change.keys)
    if len(sizes) == 1:
        return cell(capital(key_name(sizes[0].key)), arrow(sizes[0]))
    names = capital(listed_text([key_name(each.key) for each in sizes]))
    return cell(names, *map(arrow, sizes))


def _cost_row(
    counted: CountedDifference, head: Cell, cost: Cost, kind: RowKind = RowKind.MEMBER
) -> Row:
    total = counted.difference.total.parameters
    is_part = kind is RowKind.MEMBER and total != 0
    share = share_text(Fraction(cost.parameters, total)) if is_part and cost.parameters else ""
    first, *others = (signed(column.number(cost)) for column in counted.columns)
    return Row((head, cell(first, share), *map(cell, others)), kind)


def _number(number: Fraction | int) -> str:
    return signed(number).removeprefix("+")
