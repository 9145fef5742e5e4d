"""Changed keys between two models, in groups that can each be changed without the others."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from sphinx_llmsize.architecture.attention_heads import has_even_heads
from sphinx_llmsize.config.symbols import D_H
from sphinx_llmsize.differences.change_groups import (
    ChangeGroup,
    GroupSet,
    changes_in,
    largest_possible,
    smallest_groups,
)
from sphinx_llmsize.differences.changed_keys import (
    changed_keys,
    is_width_of_experts,
    replaced_widths,
)
from sphinx_llmsize.differences.changed_models import with_changes
from sphinx_llmsize.differences.groups_in_same_family import groups_in_same_family
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.structure import with_sizes_before
from sphinx_llmsize.model import Model


def grouped_changes(one: Model, other: Model) -> tuple[tuple[ChangeGroup, ...], ChangeGroup]:
    """The changed keys in groups, and the keys that change only with the architecture.

    The latter are empty for models of the same family.
    """
    changes = changed_keys(one, other)

    def can_change_alone(groups: GroupSet, *, keeps_head_dim: bool = True) -> bool:
        made = tuple(sorted(changes_in(groups), key=changes.index))
        return _can_change_alone(one, other, made, changes, keeps_head_dim=keeps_head_dim)

    def can_change_before_structure(groups: GroupSet) -> bool:
        return with_sizes_before(one, other, changes_in(groups)) is not None

    if one.family is other.family:
        can_change_last = partial(_can_change_last, one, other, changes)
        return groups_in_same_family(one, other, changes, can_change_alone, can_change_last), ()
    single_changes = [(change,) for change in changes]
    found, impossible = smallest_groups(single_changes, can_change_alone)
    # a hidden dimension that would change D/H, if no change of heads can prevent it
    others, _impossible = smallest_groups(
        [(change,) for change in impossible], partial(can_change_alone, keeps_head_dim=False)
    )
    in_order = sorted((*found, *others), key=lambda group: changes.index(group[0]))
    groups = largest_possible(in_order, can_change_before_structure)
    grouped = changes_in(groups)
    with_structure = [change for change in changes if change not in grouped]
    with_structure += [each for each in replaced_widths(one, other) if each.before != each.after]
    return groups, tuple(with_structure)


def _can_change_alone(
    one: Model,
    other: Model,
    made: ChangeGroup,
    changes: tuple[KeyChange, ...],
    *,
    keeps_head_dim: bool = True,
) -> bool:
    """True if these changes, without the others, make a valid model and have no side effects.

    Args:
        one: the first model, which is changed.
        other: the second model.
        made: the changes to make.
        changes: all changes.
        keeps_head_dim: heads of a size that neither model has are a side effect.
    """
    changed = with_changes(one, made, changes)
    if changed is None:
        return False
    others = [change for change in changes if change not in made]
    head_dims = [model.config.sizes.get(D_H) for model in (one, other)]
    return (
        all(_has_same_effect(changed, other, change) for change in made)
        and not _changes_others(one, changed, others)
        and not _has_new_uneven_heads(one, other, changed)
        and (not keeps_head_dim or changed.config.sizes.get(D_H) in head_dims)
    )


def _can_change_last(
    one: Model, other: Model, changes: tuple[KeyChange, ...], group: ChangeGroup
) -> bool:
    """True if all other changes can be made before those of a group.

    The keys of the group must have the same meaning until then: a feed-forward dimension can't
    change after experts of this width were added.
    """
    rest = tuple(change for change in changes if change not in group)
    changed = with_changes(one, rest, changes)
    if changed is None or not _can_change_alone(one, other, rest, changes):
        return False
    return all(
        is_width_of_experts(changed, change.key) == is_width_of_experts(one, change.key)
        for change in group
    )


def _has_same_effect(changed: Model, other: Model, change: KeyChange) -> bool:
    """True if the changed model has the new value, in the same kind of part as the second model.

    Some families derive a size, whatever value is set. If experts got the new width of a dense
    network, they would be far larger than the experts of the two models.
    """
    symbol, sizes = change.key.symbol, changed.config.sizes
    if change.is_used_after and symbol in sizes and sizes[symbol] != change.after:
        return False
    of_experts = is_width_of_experts(other, change.keys_after[0])
    return is_width_of_experts(changed, change.key) == of_experts


def _changes_others(one: Model, changed: Model, others: Iterable[KeyChange]) -> bool:
    """True if the changed model has another value of a key that has a change of its own.

    The key/value heads may follow the query heads, and would be counted twice.
    """
    sizes_before, sizes = one.config.sizes, changed.config.sizes
    keys = (change.key for change in others if change.is_shared)
    symbols = {key.symbol for key in keys if key.symbol}
    return any(sizes[s] != sizes_before.get(s) for s in symbols & sizes.keys())


def _has_new_uneven_heads(one: Model, other: Model, changed: Model) -> bool:
    """True if query heads share key/value heads evenly in both models, but not in the changed one.

    An example is 32 query heads with 5 key/value heads.
    """
    return all(has_even_heads(model.architecture) for model in (one, other)) and (
        not has_even_heads(changed.architecture)
    )
