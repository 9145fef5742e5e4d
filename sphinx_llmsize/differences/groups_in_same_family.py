"""Groups of changes between two models of the same family.

Besides changes that are impossible without each other, these are changes with the same effect, and
keys that come into use with others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from sphinx_llmsize.architecture.attention_heads import has_equal_heads
from sphinx_llmsize.changes.scale_sizes import with_values
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.differences.change_groups import (
    ChangeGroup,
    GroupSet,
    IsPossible,
    changes_in,
    smallest_groups,
)
from sphinx_llmsize.differences.changed_models import with_changes
from sphinx_llmsize.differences.key_change import KeyChange, is_used
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model


def groups_in_same_family(
    one: Model,
    other: Model,
    changes: Sequence[KeyChange],
    is_possible: IsPossible,
    can_be_last: Callable[[ChangeGroup], bool],
) -> tuple[ChangeGroup, ...]:
    """The smallest groups of changes between two models of the same family.

    Changes with the same effect are in one group (:func:`_are_equivalent`). A key that only one
    of the models depends on changes with the keys by which it comes into use: the number of
    state-space heads with the kinds of layers.
    """
    shared = [change for change in changes if change.is_shared]
    unshared = [change for change in changes if not change.is_shared]
    groups = _smallest_groups_of_all(_joined_by_effect(one, other, shared), is_possible)
    for change in unshared:
        leader = _group_to_join(one, other, groups, changes, change)
        if leader:
            groups[groups.index(leader)] = (*leader, change)
        else:
            groups.append((change,))

    def is_possible_or_last(candidate: GroupSet) -> bool:
        is_single = len(candidate) == 1
        return is_possible(candidate) or (is_single and can_be_last(changes_in(candidate)))

    smallest = _smallest_groups_of_all(groups, is_possible_or_last)
    return tuple(tuple(sorted(group, key=changes.index)) for group in smallest)


def _smallest_groups_of_all(
    groups: Sequence[ChangeGroup], is_possible: IsPossible
) -> list[ChangeGroup]:
    """The smallest possible groups; the changes that are in none are the last group."""
    found, impossible = smallest_groups(groups, is_possible)
    return [*found, impossible] if impossible else list(found)


def _joined_by_effect(one: Model, other: Model, changes: Sequence[KeyChange]) -> list[ChangeGroup]:
    """The changes, those with the same effect in one group."""
    groups: list[ChangeGroup] = []
    for change in changes:
        for number, group in enumerate(groups):
            if any(_are_equivalent(one, other, each, change) for each in group):
                groups[number] = (*group, change)
                break
        else:
            groups.append((change,))
    return groups


def _are_equivalent(one: Model, other: Model, first: KeyChange, second: KeyChange) -> bool:
    """True for two keys that express the same property.

    These are query heads and key/value heads, if each model has equally many of both; a size and a
    key from which it follows; and keys that have the same effect alone, such as a feed-forward
    dimension and the key for twice this number.
    """
    symbols = {first.key.symbol, second.key.symbol}
    if symbols == {H, H_KV}:
        return all(has_equal_heads(model.architecture) for model in (one, other))
    if None not in symbols:
        return False
    if _follows(one, first, second) or _follows(one, second, first):
        return True
    with_first, with_second = with_changes(one, (first,)), with_changes(one, (second,))
    if with_first is None or with_second is None:
        return False
    has_effect = with_first.components != one.components
    return has_effect and with_first.components == with_second.components


def _follows(one: Model, size: KeyChange, source: KeyChange) -> bool:
    """True if a size has another value after the change of a key without a symbol, ``source``."""
    symbol = size.key.symbol
    return symbol is not None and value_by_rule(one, size, source) != one.config.sizes.get(symbol)


def value_by_rule(one: Model, size: KeyChange, source: KeyChange) -> int | None:
    """The value of a size in the first model after the change of another key alone.

    It is the previous value if that key has a symbol, or if the model would be invalid; None if the
    first key is no size.

    Args:
        one: the first model.
        size: the change of the size, which is not made.
        source: the change of the key from which the size may follow.
    """
    if size.key.symbol is None:
        return None
    changed = one
    if source.key.symbol is None:
        with suppress(ConfigError):
            changed = with_values(one, {source.key: source.after})
    return changed.config.sizes.get(size.key.symbol)


def _group_to_join(
    one: Model,
    other: Model,
    groups: Sequence[ChangeGroup],
    changes: Sequence[KeyChange],
    unused: KeyChange,
) -> ChangeGroup | None:
    """The group with which a key that only one model depends on changes; None if it needs none.

    It is the first group that brings the key into use, else the first without which it is unused.
    """
    for group in groups:
        if _brings_into_use(one, other, group, changes, unused):
            return group
    for group in groups:
        if _is_needed_to_use(one, other, group, changes, unused):
            return group
    return None


def _brings_into_use(
    one: Model, other: Model, group: ChangeGroup, changes: Sequence[KeyChange], unused: KeyChange
) -> bool:
    """True if the model that doesn't depend on a key does after the changes of a group.

    Args:
        one: the first model.
        other: the second one.
        group: the changes.
        changes: all changes; those of keys that only one model depends on are made too, unless the
            model is invalid with them.
        unused: the change of the key.
    """
    unshared = [change for change in changes if not change.is_shared]
    for made in ((*group, *unshared), (*group, unused), group):
        uses = _uses_after(one, other, made, unused)
        if uses:
            return True in uses
    return False


def _is_needed_to_use(
    one: Model, other: Model, group: ChangeGroup, changes: Sequence[KeyChange], unused: KeyChange
) -> bool:
    """True if after all changes but those of a group, no model depends on a key."""
    made = [each for each in changes if each not in group]
    return set(_uses_after(one, other, made, unused)) == {False}


def _uses_after(
    one: Model, other: Model, changes: Sequence[KeyChange], unused: KeyChange
) -> tuple[bool | None, ...]:
    """Results of :func:`is_used` for the model that doesn't depend on a key, after some changes.

    There are two, for the key's values in both models; none if the changed model is invalid.
    """
    if unused.is_used_after:
        model = with_changes(one, changes)
    else:
        model = with_changes(other, [each.reverse for each in changes])
    if model is None:
        return ()
    values = (unused.before, unused.after)
    if unused.key.kind is ValueKind.FLAG:
        values = (False, True)
    return tuple(is_used(model, unused.key, value) for value in values)
