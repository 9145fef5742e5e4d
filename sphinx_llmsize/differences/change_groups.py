"""Groups of changes to a model: the smallest ones that result in a valid model.

Some changes are impossible alone, such as a number of heads that doesn't divide D.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from sphinx_llmsize.changes.followers import repeated_lists, usual_followers
from sphinx_llmsize.changes.scale_sizes import Values, sizes_of, with_values
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import D, H, L
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model

ChangeGroup = tuple[KeyChange, ...]
"""Changes that are made together, because one is impossible without the others."""
IsPossible = Callable[[frozenset[ChangeGroup]], bool]
"""Function that returns True if some groups can be changed without the others."""


def with_changes(
    model: Model, changes: Iterable[KeyChange], all_changes: Iterable[KeyChange] = ()
) -> Model | None:
    """The model with some keys changed; None if such a model is invalid.

    All other sizes keep their values if the model is valid with them. If not, key/value heads that
    were as many as the query heads are as many as the new ones, or the family derives the sizes
    that it has rules for. Lists of layers repeat their pattern.

    Args:
        model: the model.
        changes: the keys to change.
        all_changes: changes of which those of keys that only one of the models depends on are
            made too if the model is invalid without them.
    """
    unshared = frozenset(each for each in all_changes if not each.is_shared)
    return _with_changes(model, frozenset(changes), unshared)


@lru_cache(maxsize=256)  # each is built to know whether it is valid, and then counted
def _with_changes(
    model: Model, changes: frozenset[KeyChange], unshared: frozenset[KeyChange]
) -> Model | None:
    values: Values = {change.key: change.after for change in changes}
    sizes = sizes_of(model)
    derived = {key: size for key, size in sizes.items() if key not in model.config.explicit}
    kv_heads: Values = {}  # as many as the new query heads, if the model has as many of both
    for key, value in values.items():
        if key.symbol == H:
            kv_heads.update(dict.fromkeys(usual_followers(key, sizes), value))
    attempts = [
        {**derived, **values},
        {**derived, **kv_heads, **values},
        values,
        {**kv_heads, **values},
    ]
    others = _values_of_unshared_keys(values, sizes, unshared)
    if others:
        attempts += [{**attempt, **others} for attempt in attempts]
    return first_valid(model, attempts)


def _values_of_unshared_keys(
    values: Values, sizes: dict[Key, int], unshared: Iterable[KeyChange]
) -> Values:
    """New values of keys that only one of the models depends on, to be changed with other keys.

    Keys that only the second model depends on get its values. Sizes that only the first model
    depends on grow with a new hidden dimension.

    Args:
        values: new values of the other keys.
        sizes: sizes of the first model.
        unshared: changes of keys that only one of the models depends on.
    """
    others: Values = {}
    disappearing: set[Key] = set()
    for change in unshared:
        if change.key in values:
            continue
        if change.is_used_before:
            disappearing.add(change.key)
        else:
            others[change.key] = change.after
    for follower, size in followers_of_hidden_dim(values, sizes).items():
        if follower in disappearing and size.denominator == 1:
            others[follower] = int(size)
    return others


def followers_of_hidden_dim(values: Values, sizes: dict[Key, int]) -> dict[Key, Fraction]:
    """The sizes that usually grow with a new hidden dimension, in proportion to it.

    Some may be fractions; there are none if the values have no hidden dimension.
    """
    for key, value in values.items():
        if key.symbol == D and type(value) is int:
            factor = Fraction(value, sizes[key])
            return {each: sizes[each] * factor for each in usual_followers(key, sizes)}
    return {}


def first_valid(model: Model, attempts: Iterable[Values]) -> Model | None:
    """The model with the first values that make a valid one; None if all of them are invalid."""
    for values in attempts:
        try:
            return with_values(model, {**_layer_lists(model, values), **values})
        except ConfigError:
            continue
    return None


def _layer_lists(model: Model, values: Values) -> Values:
    """Lists of layers for a new number of layers, with their pattern repeated."""
    for key, number in values.items():
        if key.symbol == L and type(number) is int and number != model.config[key]:
            return dict(repeated_lists(model, key, number))
    return {}


def changes_in(groups: Iterable[ChangeGroup]) -> ChangeGroup:
    """The changes of all groups."""
    return tuple(change for group in groups for change in group)


def smallest_groups(
    groups: Sequence[ChangeGroup], is_possible: IsPossible
) -> tuple[tuple[ChangeGroup, ...], ChangeGroup]:
    """Join groups of changes into the smallest ones that are each possible alone.

    Args:
        groups: the groups, in order.
        is_possible: function that returns True if some groups can be changed without the others.

    Returns:
        The joined groups, in the order of their first changes, and the changes that are in no
        possible group.
    """
    possible = [frozenset((group,)) for group in groups if is_possible(frozenset((group,)))]
    without_group: list[ChangeGroup] = []
    for group in groups:
        if any(group in joined for joined in possible):
            continue
        joined = _smallest_possible_with(group, groups, possible, is_possible)
        if joined:
            possible = [*(each for each in possible if not each <= joined), joined]
        else:
            without_group.append(group)
    in_order = [[group for group in groups if group in joined] for joined in possible]
    in_order.sort(key=lambda joined: groups.index(joined[0]))
    return tuple(map(changes_in, in_order)), changes_in(without_group)


def _smallest_possible_with(
    group: ChangeGroup,
    groups: Sequence[ChangeGroup],
    possible: Sequence[frozenset[ChangeGroup]],
    is_possible: IsPossible,
) -> frozenset[ChangeGroup]:
    """The smallest possible set with one group; empty if there is none.

    It contains each of the already possible sets as a whole, or not at all.
    """
    needed: frozenset[ChangeGroup] = frozenset()
    found = frozenset((group,))
    while found and needed != found:
        needed = found.union(*(each for each in possible if each & found))
        found = _smallest_with(needed, groups, possible, is_possible)
    return found


def _smallest_with(
    needed: frozenset[ChangeGroup],
    groups: Sequence[ChangeGroup],
    possible: Iterable[frozenset[ChangeGroup]],
    is_possible: IsPossible,
) -> frozenset[ChangeGroup]:
    """A possible set with the needed groups from which no other group can be left out.

    Args:
        needed: groups that the set must have.
        groups: all groups.
        possible: groups that are possible together, to leave out first.
        is_possible: function that returns True if some groups can be changed without the others.

    Returns:
        The set; empty if neither the needed groups with at most one other group are possible, nor
        all groups.
    """
    for candidate in (needed, *(needed | {group} for group in groups)):
        if is_possible(candidate):
            return candidate
    candidate = frozenset(groups)
    if not is_possible(candidate):
        return frozenset()
    parts = [*possible, *(frozenset((group,)) for group in groups)]
    removable = [part for part in parts if not part & needed]
    while smaller := _without_a_part(candidate, removable, is_possible):
        candidate = smaller
    return candidate


def _without_a_part(
    groups: frozenset[ChangeGroup],
    parts: Iterable[frozenset[ChangeGroup]],
    is_possible: IsPossible,
) -> frozenset[ChangeGroup]:
    """The groups without the first part that isn't needed; empty if all parts are needed."""
    for part in parts:
        if part <= groups and is_possible(groups - part):
            return groups - part
    return frozenset()


def largest_possible(
    groups: Sequence[ChangeGroup], is_possible: IsPossible
) -> tuple[ChangeGroup, ...]:
    """As many of the groups as are possible at the same time, in their order."""
    # try all of them, then all but one
    for size in (len(groups), max(len(groups) - 1, 0)):
        for some_groups in combinations(groups, size):
            if is_possible(frozenset(some_groups)):
                return some_groups
    # smaller choices are too many to try: add each group that is possible with those before it
    possible: tuple[ChangeGroup, ...] = ()
    for group in groups:
        if is_possible(frozenset((*possible, group))):
            possible = (*possible, group)
    return possible
