"""The changes of a difference in one list: table, sentences, picture and data are made of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.architecture.attention_heads import has_equal_heads
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.config.symbols import L_DEC, L_ENC, L
from sphinx_llmsize.differences.costs import NO_COST, Cost
from sphinx_llmsize.differences.difference import ConfigChange, Difference
from sphinx_llmsize.differences.groups_in_same_family import value_by_rule
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.structure import StructureChange
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, cached
from sphinx_llmsize.views.difference.changed_values import changed_name, key_change_values
from sphinx_llmsize.views.difference.changes_without_cost import FreeChange, changes_without_cost
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.kinds_of_parts import is_described_differently
from sphinx_llmsize.views.difference.layer_arrangement import different_arrangements
from sphinx_llmsize.views.difference.masks_and_positions import masks_or_positions_differ
from sphinx_llmsize.views.difference.pairs import Texts
from sphinx_llmsize.views.difference.part_changes import (
    ChangedPart,
    changed_parts,
    part_change_in_words,
)
from sphinx_llmsize.views.difference.stage_rows import sections
from sphinx_llmsize.views.in_words.parts_in_words import part_label
from sphinx_llmsize.views.shared.wording import capital, listed_text

COUNTS = frozenset((ValueKind.COUNT, ValueKind.WHOLE))
"""Kinds of keys that are numbers of things."""
KINDS_WITH_SHORT_VALUES = COUNTS | {
    ValueKind.FLAG,
    ValueKind.POSITIVE,
    ValueKind.NAME,
    ValueKind.WINDOW,
    ValueKind.PATTERN,
}
"""Kinds of keys with a row even if they cost nothing; the values of other kinds are long."""
LAYER_NUMBERS = frozenset((L, L_ENC, L_DEC))
"""Symbols of numbers of layers."""
Layers = tuple[int, ...]
"""Numbers of layers of the parts of a pipeline."""
Change = ConfigChange | StructureChange | FreeChange
"""A change before it is listed: changed keys, a replaced part, or a change without a cost."""


@dataclass(frozen=True)
class ListedChange:
    """A change in words, with its cost.

    Attributes:
        change: the change that is listed.
        name: what changed: ``Hidden dimension and attention heads``, ``Attention``.
        values: the text of each changed value, before and after.
        cost: cost of the change.
        other_sizes: further sizes that only one of the models has: ``without decoder layers``.
        named_keys: the changed keys to name; the others follow from them.
        parts: parts that changed keys replace.
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
    """Changed keys, replaced parts, and changes without a cost that these don't name.

    Args:
        counted: the difference.
        with_every_key: True to list keys with long values, and those that another row names, even
            if they cost nothing.
    """
    difference = counted.difference
    of_keys = [
        change
        for change in difference.config_changes
        if with_every_key or change.cost != NO_COST or _has_sizes(change) or _has_row(change)
    ]
    of_parts = [
        change
        for change in difference.structure_changes
        if change.cost != NO_COST or is_described_differently(difference, change)
    ]
    free = changes_without_cost(difference.models, of_keys, of_parts)
    return (
        *(_of_keys(difference, change) for change in of_keys),
        *(_of_part(difference, change) for change in of_parts),
        *(ListedChange(change, _(change.label), (change.texts,)) for change in free),
    )


def _has_sizes(change: ConfigChange) -> bool:
    """True if one of the changed keys is a size."""
    return any(each.key.symbol for each in change.key_changes)


def _has_row(change: ConfigChange) -> bool:
    """True for keys with short values, unless a row without a cost names their effect.

    These rows are on positions and masks, and on attention and feed-forward in parallel.
    """
    models = change.models
    if masks_or_positions_differ(models) or any(different_arrangements(models)):
        return False
    return any(each.key.kind in KINDS_WITH_SHORT_VALUES for each in change.key_changes)


def _of_part(difference: Difference, change: StructureChange) -> ListedChange:
    """A replaced part of the architecture."""
    name = _(part_label(difference.models, change.aspect))
    return ListedChange(change, name, (part_change_in_words(difference, change),), change.cost)


def _of_keys(difference: Difference, change: ConfigChange) -> ListedChange:
    """One or several changed keys, with the parts that they replace."""
    parts = changed_parts(difference, change)
    shown = named = _keys_to_name(change)
    if parts:
        # if only one model has a part, such as experts, its number is needless beside the part
        others = tuple(each for each in shown if not _is_count_of_one_model(each))
        named = others or shown
    names = [changed_name(difference.models, each) for each in named]
    sizes: tuple[str, ...] = ()
    if any(each.key == k.ARCHITECTURES for each in named):
        sizes = tuple(_sizes_of_one_class(change))
    values = tuple(map(key_change_values, named))
    name = capital(listed_text(names))
    return ListedChange(change, name, values, change.cost, sizes, shown, parts)


def _keys_to_name(change: ConfigChange) -> tuple[KeyChange, ...]:
    """The keys of a change to name: those that are sizes or other numbers of things.

    All of them if there are none of these, or if only one of the models depends on some. Key/value
    heads that are as many as the attention heads in both models are left out if other keys change,
    and so is a number from which a size follows, such as twice the feed-forward dimension.
    """
    changes = change.key_changes
    if all(has_equal_heads(model.architecture) for model in change.models):
        changes = tuple(each for each in changes if each.key != k.NUM_KV_HEADS) or changes
    if not all(each.is_shared for each in changes):
        return changes
    numbers = [each for each in changes if each.key.symbol or each.key.kind in COUNTS]
    named = tuple(each for each in numbers if not _states_a_size(change, each))
    return named or tuple(numbers) or changes


def _states_a_size(change: ConfigChange, rule: KeyChange) -> bool:
    """True for a key from which another size of the change gets its new value."""
    return any(
        size.before != size.after == value_by_rule(change.before, size, rule)
        for size in change.key_changes
        if size != rule
    )


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


def layers_with_structure(difference: Difference) -> tuple[Layers, Layers] | None:
    """``(6, 6)`` and ``(24,)``: the layers of models that have no comparable numbers of layers.

    None if all numbers of layers have the same meaning in both models, so that those that
    differ are changed keys, and for as many layers.
    """
    before, after = map(_layers, difference.models)
    one, other = (LAYER_NUMBERS & model.config.sizes.keys() for model in difference.models)
    if difference.structure_changes and one != other and before and after and before != after:
        return before, after
    return None


def _layers(model: Model) -> Layers:
    """The layers of each part of the pipeline: those of an encoder, and of its decoder."""
    return tuple(section.layers for section in sections(model) if section.layers)


def sum_text(layers: Layers) -> str:
    """``6 + 6``: the layers of an encoder and a decoder."""
    return " + ".join(map(thousands, layers))
