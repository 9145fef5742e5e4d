"""The changes of a difference in one list, for the table, the sentences, the diagram and data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.differences.costs import NO_COST, Cost
from sphinx_llmsize.differences.difference import ConfigChange, Difference
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.structure import StructureChange
from sphinx_llmsize.translation import N_, _, cached
from sphinx_llmsize.views.difference.changed_values import changed_name, key_change_values
from sphinx_llmsize.views.difference.changes_without_cost import FreeChange, changes_without_cost
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.keys_to_name import COUNTS, is_count_of_one_model, keys_to_name
from sphinx_llmsize.views.difference.kinds_of_parts import is_described_differently
from sphinx_llmsize.views.difference.layer_arrangement import different_arrangements
from sphinx_llmsize.views.difference.masks_and_positions import masks_or_positions_differ
from sphinx_llmsize.views.difference.pairs import Texts
from sphinx_llmsize.views.difference.part_changes import (
    ChangedPart,
    changed_parts,
    part_change_in_words,
)
from sphinx_llmsize.views.in_words.parts_in_words import part_label
from sphinx_llmsize.views.shared.wording import capital, listed_text

KINDS_WITH_SHORT_VALUES = COUNTS | {
    ValueKind.FLAG,
    ValueKind.POSITIVE,
    ValueKind.NAME,
    ValueKind.WINDOW,
    ValueKind.PATTERN,
}
"""Kinds of keys that are listed even if they cost nothing; the values of other kinds are long."""
Change = ConfigChange | StructureChange | FreeChange
"""A change before it is listed: changed keys, a replaced part, or a change without a cost."""


@dataclass(frozen=True)
class ListedChange:
    """A change in words, with its cost.

    Attributes:
        change: the change that is listed.
        name: name of what changed: ``Hidden dimension and attention heads``, ``Attention``.
        values: the texts before and after of each key in ``name``, or those of the replaced part.
        cost: cost of the change.
        other_sizes: further sizes that only one of the models has: ``without decoder layers``.
        named_keys: the changed keys that sentences and boxes name; the others follow from them.
            ``name`` and ``values`` may cover fewer keys, if ``parts`` say the same.
        parts: parts of the architecture that the changed keys replace.
    """

    change: Change
    name: str
    values: tuple[Texts, ...]
    cost: Cost = NO_COST
    other_sizes: tuple[str, ...] = ()
    named_keys: tuple[KeyChange, ...] = ()
    parts: tuple[ChangedPart, ...] = ()


@cached(8)  # a page shows them as sentences, in a table and in a diagram
def listed_changes(
    counted: CountedDifference, *, with_every_key: bool = False
) -> tuple[ListedChange, ...]:
    """Changed keys, replaced parts, and changes without a cost that neither of these names.

    Args:
        counted: the difference.
        with_every_key: True to list all changed keys. Otherwise keys that cost nothing are left
            out if their values are long, or if a change without a cost describes their effect.
    """
    difference = counted.difference
    of_keys = [
        change for change in difference.config_changes if with_every_key or _is_listed(change)
    ]
    of_parts = [
        change
        for change in difference.structure_changes
        if change.cost != NO_COST or is_described_differently(difference, change)
    ]
    free = changes_without_cost(difference.models, of_keys, of_parts)
    return (
        *(_changed_keys(difference, change) for change in of_keys),
        *(_replaced_part(difference, change) for change in of_parts),
        *(ListedChange(change, _(change.label), (change.texts,)) for change in free),
    )


def _is_listed(change: ConfigChange) -> bool:
    """True for changed keys that have a cost or are sizes, and for others with short values.

    The others are left out if a :class:`FreeChange` says what they do.
    """
    if change.cost != NO_COST or any(each.key.symbol for each in change.key_changes):
        return True
    has_short_values = any(each.key.kind in KINDS_WITH_SHORT_VALUES for each in change.key_changes)
    return has_short_values and not _is_described_by_free_change(change)


def _is_described_by_free_change(change: ConfigChange) -> bool:
    """True for keys that change masks, positions, or the arrangement of attention and FFN."""
    models = change.models
    return masks_or_positions_differ(models) or any(different_arrangements(models))


def _replaced_part(difference: Difference, change: StructureChange) -> ListedChange:
    """A replaced part of the architecture."""
    name = _(part_label(difference.models, change.aspect))
    return ListedChange(change, name, (part_change_in_words(difference, change),), change.cost)


def _changed_keys(difference: Difference, change: ConfigChange) -> ListedChange:
    """One or several changed keys, with the parts that they replace."""
    parts = changed_parts(difference, change)
    named_keys = in_name = keys_to_name(change)
    if parts:
        # if only one model has a part, such as experts, its number is needless beside the part
        in_name = tuple(each for each in named_keys if not is_count_of_one_model(each))
        in_name = in_name or named_keys
    is_other_class = any(each.key == k.ARCHITECTURES for each in in_name)
    return ListedChange(
        change,
        name=capital(listed_text([changed_name(difference.models, each) for each in in_name])),
        values=tuple(map(key_change_values, in_name)),
        cost=change.cost,
        other_sizes=tuple(_sizes_of_one_class(change)) if is_other_class else (),
        named_keys=named_keys,
        parts=parts,
    )


def _sizes_of_one_class(change: ConfigChange) -> Iterator[str]:
    """``without decoder layers``: other sizes that only one of two classes of models has."""
    symbols, symbols_after = (model.architecture.symbols for model in change.models)
    changed = {each.key.symbol for each in change.key_changes}
    for message, with_size, without_size in (
        (N_("without {sizes}"), symbols, symbols_after),
        (N_("with {sizes}"), symbols_after, symbols),
    ):
        names = [
            _(symbol.meaning)
            for symbol in with_size
            if symbol not in without_size and symbol not in changed
        ]
        if names:
            yield _(message, sizes=listed_text(names))
