"""The changes of a difference in one list: its table, its sentences and its data are made of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from sphinx_llmsize.views.difference.counted_difference import CountedDifference, shown_key_changes
from sphinx_llmsize.views.difference.part_changes import (
    ChangedPart,
    changed_parts,
    part_change_in_words,
)
from sphinx_llmsize.views.difference.text_pairs import Texts
from sphinx_llmsize.views.in_words.parts_in_words import part_label
from sphinx_llmsize.views.shared.wording import capital, listed_text


@dataclass(frozen=True)
class ListedChange:
    """A change in words, with its cost.

    Attributes:
        source: changed keys, a replaced part, or a change without a cost.
        name: what changed: ``Hidden dimension and attention heads``, ``Attention``.
        values: the text of each changed value, before and after.
        cost: cost of the change.
        sizes: other sizes that only one of the models has: ``without decoder layers``.
        parts: parts that changed keys replace.
    """

    source: ConfigChange | StructureChange | FreeChange
    name: str
    values: tuple[Texts, ...]
    cost: Cost = NO_COST
    sizes: tuple[str, ...] = ()
    parts: tuple[ChangedPart, ...] = ()


@cached(8)  # a page shows them as sentences, in a table and in a diagram
def listed_changes(
    counted: CountedDifference, *, with_every_key: bool = False
) -> tuple[ListedChange, ...]:
    """Changed keys, replaced parts, and changes without a cost that these don't name.

    Args:
        counted: the difference.
        with_every_key: True to list keys that aren't sizes and cost nothing, too.
    """
    difference = counted.difference
    of_keys = difference.config_changes if with_every_key else counted.shown_config_changes
    return (
        *(_of_keys(difference, change) for change in of_keys),
        *(_of_part(difference, change) for change in counted.shown_structure_changes),
        *(
            ListedChange(free, _(free.label), (free.texts,))
            for free in changes_without_cost(counted, of_keys)
        ),
    )


def _of_part(difference: Difference, change: StructureChange) -> ListedChange:
    """A replaced part of the architecture."""
    name = _(part_label(difference.models, change.aspect))
    return ListedChange(change, name, (part_change_in_words(difference, change),), change.cost)


def _of_keys(difference: Difference, change: ConfigChange) -> ListedChange:
    """One or several changed keys, with the parts that they replace."""
    parts = changed_parts(difference, change)
    key_changes: Sequence[KeyChange] = shown_key_changes(change)
    if parts:
        # the parts show that only one model has some things; their number is needless beside them
        others = [each for each in key_changes if not _is_count_of_one_model(each)]
        key_changes = others or key_changes
    names = [changed_name(difference.models, each) for each in key_changes]
    sizes: tuple[str, ...] = ()
    if any(each.key == k.ARCHITECTURES for each in key_changes):
        sizes = tuple(_sizes_of_one_class(change))
    values = tuple(map(key_change_values, key_changes))
    return ListedChange(change, capital(listed_text(names)), values, change.cost, sizes, parts)


def _is_count_of_one_model(change: KeyChange) -> bool:
    """True for a count without a symbol whose key only one of the models has."""
    is_count = change.key.kind is ValueKind.COUNT and not change.key.symbol
    return is_count and (change.before is None or change.after is None)


def _sizes_of_one_class(change: ConfigChange) -> Iterator[str]:
    """``without decoder layers``: other sizes that only one of two classes of models has."""
    one, other = change.before.architecture.symbols, change.after.architecture.symbols
    known = {each.key.symbol for each in change.key_changes}
    for message, symbols, missing in (
        (N_("without {sizes}"), one, other),
        (N_("with {sizes}"), other, one),
    ):
        names = [_(s.meaning) for s in symbols if s not in missing and s not in known]
        if names:
            yield _(message, sizes=listed_text(names))
