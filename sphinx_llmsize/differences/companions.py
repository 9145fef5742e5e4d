"""Changes that are always made together, though each would be possible alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from sphinx_llmsize.changes.scale_sizes import with_values
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.differences.change_groups import ChangeGroup, smallest_groups, with_changes
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.used_keys import is_multi_head, is_used
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model

ArePossible = Callable[[Iterable[ChangeGroup]], bool]
"""Function that returns True if a model with only the changes of some groups is valid."""


def groups_of_changes(
    one: Model, other: Model, changes: Sequence[KeyChange], are_possible: ArePossible
) -> tuple[ChangeGroup, ...]:
    """The smallest groups of changes between two models of the same family.

    Changes with the same effect are in one group; see :func:`_are_the_same`. A key that only one
    of the models depends on changes with the keys by which it comes into use: the number of
    state-space heads with the kinds of layers.
    """
    shared = [change for change in changes if change.is_shared]
    unshared = tuple(change for change in changes if not change.is_shared)
    found, impossible = smallest_groups(_without_repetition(one, other, shared), are_possible)
    groups = [*map(_joined, found), *filter(None, [_joined(impossible)])]
    for change in unshared:
        leaders = chain(
            (g for g in groups if _brings_into_use(one, other, g, unshared, change)),
            (g for g in groups if _is_needed_to_use(one, other, g, changes, change)),
        )
        leader = next(leaders, ())
        if leader:
            groups[groups.index(leader)] = (*leader, change)
        else:
            groups.append((change,))
    in_order = [tuple(sorted(group, key=changes.index)) for group in groups]
    found, impossible = smallest_groups(in_order, are_possible)
    return (*map(_joined, found), *filter(None, [_joined(impossible)]))


def _without_repetition(
    one: Model, other: Model, changes: Sequence[KeyChange]
) -> tuple[ChangeGroup, ...]:
    """The changes, those with the same effect in one group."""
    groups: list[ChangeGroup] = []
    for change in changes:
        for number, group in enumerate(groups):
            if any(_are_the_same(one, other, each, change) for each in group):
                groups[number] = (*group, change)
                break
        else:
            groups.append((change,))
    return tuple(groups)


def _are_the_same(one: Model, other: Model, first: KeyChange, second: KeyChange) -> bool:
    """True for two ways to say the same.

    These are query heads and key/value heads, if both models have as many of both; a size and a
    key from which it follows; and keys that have the same effect alone, such as a feed-forward
    dimension and twice this number.
    """
    symbols = {first.key.symbol, second.key.symbol}
    if symbols == {H, H_KV}:
        return is_multi_head(one) and is_multi_head(other)
    if None not in symbols:
        return False
    size, rule = (second, first) if first.key.symbol is None else (first, second)
    if size.key.symbol and _follows(one, size, rule):
        return True
    effects = [with_changes(one, (each,)) for each in (first, second)]
    parameters = [each.components for each in effects if each]
    return len(parameters) == len(effects) and one.components != parameters[0] == parameters[1]


def _follows(one: Model, size: KeyChange, rule: KeyChange) -> bool:
    """True if the size has another value after the change of the rule."""
    try:
        changed = with_values(one, {rule.key: rule.after})
    except ConfigError:
        return False
    symbol = size.key.symbol
    return symbol is not None and changed.config.sizes.get(symbol) != one.config.sizes.get(symbol)


def _joined(groups: Iterable[ChangeGroup]) -> ChangeGroup:
    return tuple(chain(*groups))


def _brings_into_use(
    one: Model, other: Model, group: ChangeGroup, unshared: ChangeGroup, unused: KeyChange
) -> bool:
    """True if after the changes of a group, the model that doesn't depend on a key does.

    Args:
        one: the first model.
        other: the second one.
        group: the changes.
        unshared: changes of keys that only one of the models depends on, made too if possible.
        unused: one of them.
    """
    for changes in ((*group, *unshared), (*group, unused)):
        uses = _uses_after(one, other, changes, unused)
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
    """Whether a key is used after changes of the model that doesn't depend on it.

    There are two results of :func:`is_used`, for the key's values in both models; none if the
    changes result in no valid model.
    """
    model = (
        with_changes(one, changes)
        if unused.is_used_after
        else with_changes(other, [each.reverse for each in changes])
    )
    if model is None:
        return ()
    values: tuple[Setting, ...] = (unused.before, unused.after)
    if unused.key.kind is ValueKind.FLAG:
        values = (False, True)
    return tuple(is_used(model, unused.key, value) for value in values)
