"""Texts in the boxes of the diagram: numbers, windows, and changed sizes.

A changed size is ``32 key/value heads`` beside ``8 …``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.stages import NormKind
from sphinx_llmsize.differences.changed_models import with_changes
from sphinx_llmsize.differences.difference import ConfigChange
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.formats import short_or_exact, thousands
from sphinx_llmsize.inline import Line
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.aligned_rows import AlignedSection
from sphinx_llmsize.views.difference.changed_values import key_change_values
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.listed_changes import LAYER_NUMBERS, listed_changes
from sphinx_llmsize.views.difference.marked_rows import RowsOfChanges
from sphinx_llmsize.views.difference.stage_row import RowId, RowSize, StageRow
from sphinx_llmsize.views.difference.stage_rows import rows_by_id
from sphinx_llmsize.views.shared.key_text import is_counted, key_name, number_of_things
from sphinx_llmsize.views.shared.wording import (
    comma_separated,
    filled,
    listed,
    variable,
    with_commas,
)

NORM_NAMES = {NormKind.RMS: N_("RMS norm"), NormKind.LAYER: N_("layer norm")}
"""Names of the kinds of norms, translated where they are shown."""
LONG_IN_SOME = (
    N_("{number} per layer, in {layers} of {all}"),
    N_("{number}, shared by {layers} of {all}"),
)
SHORT_IN_SOME = N_("{number} in {layers} of {all}"), N_("{number} for {layers} of {all}")
"""Pairs of messages: for rows in some of the layers, each with its own weights or sharing them."""
MAX_SIZES = 3
"""Maximum number of sizes that are named in a box."""
ChangedSizes = tuple[KeyChange, ...]
"""Changed sizes of a row."""


def changes_in_boxes(
    counted: CountedDifference, aligned: Sequence[AlignedSection], rows_of_changes: RowsOfChanges
) -> dict[RowId, ChangedSizes]:
    """The changed sizes by which a row differs, for each row that they explain completely.

    They do if the first model, with nothing but these sizes changed, has the second model's row.
    Sizes that leave the number of parameters of a row as it is are left out if others don't.

    Args:
        counted: the difference.
        aligned: the sections of both models.
        rows_of_changes: the rows that changed keys mark.
    """
    one, _other = counted.difference.models
    rows = rows_by_id(one)
    beside = {section.row_id(pair): pair[1] for section in aligned for pair in section.pairs}
    changed: dict[RowId, ChangedSizes] = {}  # keys that change the row's parameters
    named: dict[RowId, ChangedSizes] = {}  # those to name in the row's box
    others: dict[RowId, ChangedSizes] = {}  # keys that change something else in the row
    for listed_change in listed_changes(counted):
        change = listed_change.change
        if isinstance(change, ConfigChange):
            before, after = map(rows_by_id, change.models)
            for id in rows_of_changes[change]:
                others[id] = others.get(id, ()) + change.key_changes
            for id, row in rows.items():
                if id in before and id in after and before[id].size != after[id].size:
                    changed[id] = changed.get(id, ()) + change.key_changes
                    named[id] = named.get(id, ()) + _sizes(row, listed_change.named_keys)
    found: dict[RowId, ChangedSizes] = {}
    for id, key_changes in {**others, **changed}.items():
        if all(each.is_shared and each.key.symbol for each in key_changes):
            model = with_changes(one, key_changes)
            after = rows_by_id(model) if model else {}
            row_of_other = beside.get(id)
            if id in after and row_of_other and after[id].is_like(row_of_other):
                found[id] = named.get(id, key_changes)
    return {id: sizes for id, sizes in found.items() if 0 < len(sizes) <= MAX_SIZES}


def _sizes(row: StageRow, changes: ChangedSizes) -> ChangedSizes:
    """The changed sizes that are in the row's shapes.

    If none is there, the row has a size computed from them, such as F = 4·D. Numbers of layers only
    change in how many of them the row is, which its box has anyway.
    """
    in_shapes = tuple(each for each in changes if each.key.symbol in row.symbols)
    return in_shapes or tuple(each for each in changes if each.key.symbol not in LAYER_NUMBERS)


def sizes_line(sizes: ChangedSizes, side: int) -> Line:
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
    number = change.values[side]
    if isinstance(number, int):
        return (number_of_things(change.key, number),)
    return (_("{values} {things}", values=value, things=key_name(change.key)),)


def meanings_of_symbols(boxes: Iterable[ChangedSizes]) -> Line:
    """``V: vocabulary size, F: FFN dimension``: the symbols in the boxes."""
    symbols = dict.fromkeys(symbol for sizes in boxes for symbol in _shown_symbols(sizes))
    return with_commas([(variable(symbol), f": {_(symbol.meaning)}") for symbol in symbols])


def _shown_symbols(sizes: ChangedSizes) -> list[Symbol]:
    """The symbols that name sizes in their box; a single number of things has its name instead."""
    if len(sizes) == 1 and is_counted(sizes[0].key):
        return []
    return [each.key.symbol for each in sizes if each.key.symbol]


def row_texts(row: StageRow, other: StageRow | None, *, is_short: bool = False) -> tuple[str, ...]:
    """The lines of a box: its place, its parameters.

    Between them are the mask and positions, if they differ, and the kind of norm or the windows, if
    the boxes have nothing else to tell them apart.

    Args:
        row: the row.
        other: the row beside it.
        is_short: True for boxes in which the text on the parameters may not fit into one line.
    """
    texts: list[str] = []
    if row.is_parallel:
        texts.append(_("parallel to attention"))
    elif other and other.is_parallel:
        texts.append(_("after attention"))
    number_text = short_or_exact
    details = [row.mask_and_positions]
    if other and row.kind == other.kind and _short_size(row) == _short_size(other):
        if row.size != other.size:
            number_text = thousands
        elif row.norm and row.has_other_norm_than(other):
            details.append(_(NORM_NAMES[row.norm]))
        elif row.windows and row.windows != other.windows:
            details.append(row.windows.text)
    if any(details):
        texts.append(comma_separated(filter(None, details)))
    return (*texts, _size_text(row, number_text, is_short=is_short))


def _short_size(row: StageRow) -> tuple[str, RowSize, int]:
    """All that is shown of the parameters of a row, whose number is rounded."""
    parameters = row.size.parameters
    number = "" if parameters is None else short_or_exact(parameters)
    return number, replace(row.size, parameters=None), row.weight_sets


def _size_text(row: StageRow, number_text: Callable[[int], str], *, is_short: bool) -> str:
    """``9.44M per layer, in 4 of 12``; only the number outside the layers.

    If layers differ, it is ``9.44M on average per layer``.
    Of weights that layers share, it is ``165M, shared by 13 of 76``. Both are shorter in narrow
    boxes: ``9.44M in 4 of 12``, ``165M for 13 of 76``.
    """
    size, is_shared = row.size, row.weight_sets > 0
    text = _("tied") if size.parameters is None else number_text(size.parameters)
    if size.is_mean:
        text = _("{number} on average", number=text)
    if row.weight_sets > 1:
        text = _("{sets} × {number}", sets=row.weight_sets, number=text)
    if size.some_layers:
        message = LONG_IN_SOME[is_shared] if not is_short else SHORT_IN_SOME[is_shared]
        used_in, layers = size.some_layers
        return _(message, number=text, layers=used_in, all=layers)
    if is_shared:
        return _("{number}, shared by all layers", number=text)
    return _("{number} per layer", number=text) if size.is_in_layers else text
