"""Changed sizes in the boxes of the diagram: ``32 key/value heads`` beside ``8 …``."""

from __future__ import annotations

from collections.abc import Iterable

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.differences.changed_models import with_changes
from sphinx_llmsize.differences.difference import ConfigChange
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.inline import Line
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.changed_values import key_change_values
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.listed_changes import ListedChange, listed_changes
from sphinx_llmsize.views.difference.stage_rows import StageRow, sections
from sphinx_llmsize.views.shared.key_text import is_counted, key_name
from sphinx_llmsize.views.shared.wording import filled, listed, variable

LISTED = N_("{items}, {next}")
MAX_SIZES = 3
"""Maximum number of sizes that are named in a box."""
Sizes = tuple[KeyChange, ...]
"""Changed sizes of a row."""
RowId = tuple[int, str]
"""Number of a section of the pipeline, and the id of a row in it."""


def changes_in_boxes(counted: CountedDifference) -> dict[RowId, Sizes]:
    """The changed sizes by which a row differs, for each row that they explain completely.

    They do if the first model, with nothing but these sizes changed, has the second model's row.
    Sizes that leave the number of parameters of a row as it is are left out.
    """
    one, other = counted.difference.models
    rows, rows_of_other = _rows(one), _rows(other)
    changes: dict[RowId, list[ListedChange]] = {}  # those that change the row's parameters
    for change in listed_changes(counted):
        if isinstance(change.source, ConfigChange):
            before, after = map(_rows, change.source.models)
            for id in rows:
                if id in before and id in after and before[id].exact != after[id].exact:
                    changes.setdefault(id, []).append(change)
    found: dict[RowId, Sizes] = {}
    for id, of_row in changes.items():
        key_changes = tuple(each for change in of_row for each in _all_keys(change))
        if all(each.is_shared and each.key.symbol for each in key_changes):
            model = with_changes(one, key_changes)
            after = _rows(model) if model else {}
            if id in after and id in rows_of_other and after[id].is_like(rows_of_other[id]):
                found[id] = tuple(each for change in of_row for each in _sizes(rows[id], change))
    return {id: sizes for id, sizes in found.items() if len(sizes) <= MAX_SIZES}


def _sizes(row: StageRow, change: ListedChange) -> Sizes:
    """The sizes of a change that are in the row's shapes.

    All of them if none is there: the row then has a size computed from them, such as F = 4·D.
    """
    in_row = tuple(each for each in change.key_changes if each.key.symbol in row.symbols)
    return in_row or change.key_changes


def _all_keys(change: ListedChange) -> tuple[KeyChange, ...]:
    """All changed keys of a row of the table, not only those that it names."""
    return change.source.key_changes if isinstance(change.source, ConfigChange) else ()


def _rows(model: Model) -> dict[RowId, StageRow]:
    """The rows of a model's pipeline."""
    return {
        (number, row.id): row
        for number, section in enumerate(sections(model))
        for row in section.rows
    }


def sizes_line(sizes: Sizes, side: int) -> Line:
    """The sizes in the box of the first model (side 0) or of the second one (side 1).

    ``F = 11,008`` beside ``F = 14,336``, and ``D and F changed`` in both.
    """
    symbols = [(variable(symbol),) for symbol in _shown_symbols(sizes)]
    if len(sizes) > 1:
        return filled(_("{sizes} changed"), sizes=listed(symbols))
    (change,) = sizes
    value = key_change_values(change)[side]
    if symbols:
        return filled("{symbol} = {value}", symbol=symbols[0], value=value)
    return (_("{values} {things}", values=value, things=key_name(change.key)),)


def meanings_of_symbols(boxes: Iterable[Sizes]) -> Line:
    """``V: vocabulary size, F: FFN dimension``: the symbols in the boxes."""
    line: Line = ()
    for symbol in dict.fromkeys(symbol for sizes in boxes for symbol in _shown_symbols(sizes)):
        meaning = (variable(symbol), f": {_(symbol.meaning)}")
        line = filled(_(LISTED), items=line, next=meaning) if line else meaning
    return line


def _shown_symbols(sizes: Sizes) -> list[Symbol]:
    """The symbols that name sizes in their box; a single number of things has its name instead."""
    if len(sizes) == 1 and is_counted(sizes[0].key):
        return []
    return [each.key.symbol for each in sizes if each.key.symbol]
