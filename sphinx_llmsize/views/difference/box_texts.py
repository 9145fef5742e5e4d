"""Texts in the boxes of the diagram: numbers, windows, and changed sizes.

A changed size is ``32 key/value heads`` beside ``8 …``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.stages import NormKind
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.differences.changed_models import with_changes
from sphinx_llmsize.differences.difference import ConfigChange
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.formats import short_or_exact, thousands
from sphinx_llmsize.inline import Line
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.aligned_rows import AlignedSection
from sphinx_llmsize.views.difference.changed_values import key_change_values
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.incomparable_layers import LAYER_NUMBERS
from sphinx_llmsize.views.difference.listed_changes import listed_changes
from sphinx_llmsize.views.difference.marked_rows import RowsOfChanges
from sphinx_llmsize.views.difference.stage_row import RowId, RowSize, SharedWeights, StageRow
from sphinx_llmsize.views.difference.stage_rows import rows_by_id
from sphinx_llmsize.views.in_words.part_components import parts_in_layers
from sphinx_llmsize.views.shared.key_text import (
    is_counted,
    key_name,
    number_of_things,
    size_in_words,
)
from sphinx_llmsize.views.shared.wording import comma_separated, filled, listed, variable

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

    Sizes explain a row if the first model, with nothing but these sizes changed, has the second
    model's row. If some of them change the number of parameters of the row, those that don't are
    left out, unless its products contain them, as those of attention contain the number of heads.

    Args:
        counted: the difference.
        aligned: the sections of both models.
        rows_of_changes: the rows that changed keys mark.
    """
    one, _other = counted.difference.models
    named_keys = {
        listed.change: listed.named_keys
        for listed in listed_changes(counted)
        if isinstance(listed.change, ConfigChange)
    }
    with_other_size = {change: _rows_with_other_size(change) for change in named_keys}
    beside = {section.row_id(pair): pair[1] for section in aligned for pair in section.pairs}
    found: dict[RowId, ChangedSizes] = {}
    for id, row in rows_by_id(one).items():
        marking = [change for change in named_keys if id in rows_of_changes[change]]
        changing = [change for change in named_keys if id in with_other_size[change]]
        key_changes, named = _key_changes(row, marking, changing, named_keys)
        if named and all(each.is_shared and each.key.symbol for each in key_changes):
            model = with_changes(one, key_changes)
            after = rows_by_id(model) if model else {}
            row_of_other = beside.get(id)
            if id in after and row_of_other and after[id].is_like(row_of_other):
                found[id] = named
    return {id: sizes for id, sizes in found.items() if len(sizes) <= MAX_SIZES}


def _rows_with_other_size(change: ConfigChange) -> set[RowId]:
    """The rows whose parameters the changed keys change."""
    before, after = map(rows_by_id, change.models)
    return {id for id in before.keys() & after.keys() if before[id].size != after[id].size}


def _key_changes(
    row: StageRow,
    marking: Sequence[ConfigChange],
    changing: Sequence[ConfigChange],
    named_keys: Mapping[ConfigChange, ChangedSizes],
) -> tuple[ChangedSizes, ChangedSizes]:
    """The changed keys by which a row differs, and those of them to name in its box.

    Args:
        row: the row.
        marking: the changes that mark the row.
        changing: those that change its parameters.
        named_keys: the keys to name of each change.
    """
    keys = tuple(each for change in changing or marking for each in change.key_changes)
    if not changing:
        return keys, keys
    others = tuple(
        each
        for change in marking
        if change not in changing
        for each in _with_symbols(row.symbols_in_products, named_keys[change])
    )
    named = tuple(each for change in changing for each in _sizes(row, named_keys[change]))
    return (*keys, *others), (*named, *others)


def _sizes(row: StageRow, changes: ChangedSizes) -> ChangedSizes:
    """The changed sizes that are in the row's shapes or products.

    If there are none, the shapes have a size computed from the changed ones, such as F = 4D; then
    numbers of layers are left out, since the box shows anyway in how many layers the row is.
    """
    in_row = _with_symbols(row.symbols | row.symbols_in_products, changes)
    return in_row or tuple(each for each in changes if each.key.symbol not in LAYER_NUMBERS)


def _with_symbols(symbols: Collection[Symbol], changes: ChangedSizes) -> ChangedSizes:
    """The changed sizes with one of these symbols."""
    return tuple(each for each in changes if each.key.symbol in symbols)


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
    """``V is the vocabulary size and F is the FFN dimension``: the symbols in the boxes."""
    keys: dict[Symbol, Key] = {}
    for sizes in boxes:
        keys |= _shown_symbols(sizes)
    meanings = []
    for symbol, key in keys.items():
        size = size_in_words(_(symbol.meaning), is_count=is_counted(key))
        meanings.append(filled(_("{symbol} is the {size}"), symbol=variable(symbol), size=size))
    return listed(meanings)


def _shown_symbols(sizes: ChangedSizes) -> dict[Symbol, Key]:
    """The symbols that name sizes in their box; a single number of things has its name instead."""
    if len(sizes) == 1 and is_counted(sizes[0].key):
        return {}
    return {each.key.symbol: each.key for each in sizes if each.key.symbol}


def row_texts(row: StageRow, other: StageRow | None, *, is_short: bool = False) -> tuple[str, ...]:
    """The lines of a box: its place; its mask, positions, windows and norm; its parameters.

    Windows are shown if their sizes differ. If the names and the rounded parameters of both boxes
    are the same, the first of these that differs is shown: the exact number of parameters, the kind
    of norm, or the layers that have the windows.

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
    is_named = other is not None and row.has_other_window_sizes_than(other)
    if other and row.kind == other.kind and _short_size(row) == _short_size(other):
        if row.size != other.size:
            number_text = thousands
        elif row.norm and row.has_other_norm_than(other):
            details.append(_(NORM_NAMES[row.norm]))
        else:
            is_named = row.windows != other.windows
    if row.windows and is_named:
        details.append(row.windows.text)
    if any(details):
        texts.append(comma_separated(filter(None, details)))
    if row.size.parameters == 0:  # a step that only computes, such as pooling
        return (*texts, _("no weights"))
    return (*texts, _size_text(row, number_text, is_short=is_short))


def _short_size(row: StageRow) -> tuple[str, RowSize, SharedWeights | None]:
    """All that is shown of the parameters of a row, whose number is rounded."""
    parameters = row.size.parameters
    number = "" if parameters is None else short_or_exact(parameters)
    return number, replace(row.size, parameters=None), row.shared_weights


def _size_text(row: StageRow, number_text: Callable[[int], str], *, is_short: bool) -> str:
    """``9.44M per layer, in 4 of 12``; ``131M parameters`` outside the layers.

    If layers differ, it is ``9.44M on average per layer``.
    Of weights that layers share, it is ``165M, shared by 13 of 76``. Both are shorter in narrow
    boxes: ``9.44M in 4 of 12``, ``165M for 13 of 76``. If some layers share weights and others
    have their own, it is ``12 × 4.72M in 18 layers``.
    """
    size, shared = row.size, row.shared_weights
    text = _("tied") if size.parameters is None else number_text(size.parameters)
    if size.is_mean:
        text = _("{number} on average", number=text)
    if shared and shared.sets > 1:
        text = _("{sets} × {number}", sets=shared.sets, number=text)
    are_all_shared = shared is not None and shared.are_all_shared
    if size.some_layers:
        is_short = is_short or (shared is not None and not are_all_shared)
        message = LONG_IN_SOME[are_all_shared] if not is_short else SHORT_IN_SOME[are_all_shared]
        used_in, layers = size.some_layers
        return _(message, number=text, layers=used_in, all=layers)
    if shared:
        if not are_all_shared:
            return parts_in_layers(text, shared.layers)
        return _("{number}, shared by all layers", number=text)
    if size.is_in_layers:
        return _("{number} per layer", number=text)
    if size.parameters is None:
        return text
    return _("{number} parameters", number=text)
