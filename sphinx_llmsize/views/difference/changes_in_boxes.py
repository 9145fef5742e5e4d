"""Changed sizes in the boxes of the diagram: ``32 → 8 KV heads``."""

from __future__ import annotations

from collections.abc import Iterable

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.differences.difference import ConfigChange
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.inline import Line
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.changed_values import arrow_text, key_change_values
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.listed_changes import listed_changes
from sphinx_llmsize.views.difference.stage_rows import StageRow, sections
from sphinx_llmsize.views.shared.key_text import is_counted, key_name
from sphinx_llmsize.views.shared.wording import filled, variable

SHORT_NAMES = {"num_heads": N_("heads"), "num_kv_heads": N_("KV heads")}
"""Short names of keys whose names are too long for a box."""
LISTED = N_("{items}, {next}")
RowId = tuple[int, str]
"""Number of a section of the pipeline, and the id of a row in it."""


def changes_in_boxes(counted: CountedDifference) -> dict[RowId, KeyChange]:
    """The changed size of each row that becomes that of the second model with this size alone.

    Rows with as many parameters in both models are left out.
    """
    rows, rows_of_other = map(_rows, counted.difference.models)
    found: dict[RowId, KeyChange] = {}
    for change in listed_changes(counted):
        if not isinstance(change.source, ConfigChange):
            continue
        before, after = map(_rows, change.source.models)
        for id, row in rows.items():
            if all(id in others for others in (rows_of_other, before, after)):
                is_whole = row.is_like(before[id]) and after[id].is_like(rows_of_other[id])
                size = _changed_size(row, change.source)
                if size and is_whole and before[id].exact != after[id].exact:
                    found[id] = size
    return found


def _rows(model: Model) -> dict[RowId, StageRow]:
    """The rows of a model's pipeline."""
    return {
        (number, row.id): row
        for number, section in enumerate(sections(model))
        for row in section.rows
    }


def _changed_size(row: StageRow, change: ConfigChange) -> KeyChange | None:
    """The size in the shapes of a row that a change consists of; None for other changes."""
    key_changes = change.key_changes
    sizes = [each for each in key_changes if each.key.symbol in row.symbols] or key_changes
    if len(sizes) > 1 or not all(each.is_shared and each.key.symbol for each in key_changes):
        return None
    return sizes[0]


def size_line(change: KeyChange) -> Line:
    """``32 → 8 KV heads``, ``F 11,008 → 14,336``: a changed size in a box."""
    values = arrow_text(*key_change_values(change))
    if symbol := _shown_symbol(change):
        return filled("{symbol} {values}", symbol=variable(symbol), values=values)
    name = _(SHORT_NAMES.get(change.key.name, "")) or key_name(change.key)
    return (_("{values} {things}", values=values, things=name),)


def meanings_of_symbols(changes: Iterable[KeyChange]) -> Line:
    """``V: vocabulary size, F: FFN dimension``: the symbols in the boxes with these changes."""
    line: Line = ()
    for symbol in dict.fromkeys(filter(None, map(_shown_symbol, changes))):
        meaning = (variable(symbol), f": {_(symbol.meaning)}")
        line = filled(_(LISTED), items=line, next=meaning) if line else meaning
    return line


def _shown_symbol(change: KeyChange) -> Symbol | None:
    """The symbol that names a size in its box; None for numbers of things."""
    return None if is_counted(change.key) else change.key.symbol
