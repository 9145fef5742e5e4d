"""Changes that are always made together, though each would be possible alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.differences.change_groups import ChangeGroup, smallest_groups, with_changes
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.used_keys import is_multi_head, is_used
from sphinx_llmsize.model import Model

ArePossible = Callable[[Iterable[ChangeGroup]], bool]
"""Function that returns True if a model with only the changes of some groups is valid."""


def groups_of_changes(
    one: Model, other: Model, changes: Sequence[KeyChange], are_possible: ArePossible
) -> tuple[ChangeGroup, ...]:
    """The smallest groups of changes between two models of the same family.

    Key/value heads change with the query heads if both models have as many of both. A key that
    only one of the models depends on changes with the keys by which it comes into use: the number
    of state-space heads with the kinds of layers.
    """
    shared = [change for change in changes if change.is_shared]
    unshared = tuple(change for change in changes if not change.is_shared)
    found, impossible = smallest_groups(_with_heads(one, other, shared), are_possible)
    groups = [*map(_joined, found), *filter(None, [_joined(impossible)])]
    for change in unshared:
        for number, group in enumerate(groups):
            if _brings_into_use(one, other, group, unshared, change):
                groups[number] = (*group, change)
                break
        else:
            groups.append((change,))
    in_order = [tuple(sorted(group, key=changes.index)) for group in groups]
    found, impossible = smallest_groups(in_order, are_possible)
    return (*map(_joined, found), *filter(None, [_joined(impossible)]))


def _with_heads(one: Model, other: Model, changes: Iterable[KeyChange]) -> tuple[ChangeGroup, ...]:
    """The changes, each alone except for those of the heads in multi-head attention."""
    is_joined = is_multi_head(one) and is_multi_head(other)
    heads = tuple(each for each in changes if is_joined and each.key.symbol in {H, H_KV})
    groups = (heads if change in heads else (change,) for change in changes)
    return tuple(dict.fromkeys(groups))


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
    values = (unused.before, unused.after)
    for changes in ((*group, *unshared), (*group, unused)):
        model = (
            with_changes(one, changes)
            if unused.is_used_after
            else with_changes(other, [each.reverse for each in changes])
        )
        if model is not None:
            return any(is_used(model, unused.key, value) for value in values)
    return False
