"""Groups of changes to a model: the smallest ones that result in a valid model.

Some changes are impossible alone, such as another number of heads that doesn't divide D.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from typing import TypeVar

from sphinx_llmsize.changes.followers import repeated_lists, usual_followers
from sphinx_llmsize.changes.scale_sizes import Values, sizes_of, with_values
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import D, H, L
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model

ChangeGroup = tuple[KeyChange, ...]
"""Changes that are made together, because one is impossible without the others."""
Change = TypeVar("Change", bound=Hashable)
"""A change, or changes that are always made together."""
IsPossible = Callable[[Iterable[KeyChange]], bool]
"""Function that returns True if a model with some changes, and no others, is valid."""


def with_changes(
    model: Model, changes: Iterable[KeyChange], all_changes: Iterable[KeyChange] = ()
) -> Model | None:
    """The model with some keys changed; None if such a model is invalid.

    All other sizes keep their values if they can; if not, as many key/value heads as query heads
    remain as many, and those that the family derives follow. Lists of layers repeat their pattern.

    Args:
        model: the model.
        changes: the keys to change.
        all_changes: changes that may be made, too, if the model is invalid without them: those of
            keys that only one of the models depends on.
    """
    unshared = frozenset(each for each in all_changes if not each.is_shared)
    return _with_changes(model, frozenset(changes), unshared)


@lru_cache(maxsize=256)  # each is built to know whether it is valid, and then counted
def _with_changes(
    model: Model, changes: frozenset[KeyChange], all_unshared: frozenset[KeyChange]
) -> Model | None:
    values: Values = {change.key: change.after for change in changes}
    sizes = sizes_of(model)
    derived = {k: v for k, v in sizes.items() if k not in model.config.explicit}
    heads = {
        follower: value
        for key, value in values.items()
        if key.symbol == H
        for follower in usual_followers(key, sizes)
    }
    attempts = [{**derived, **values}, {**derived, **heads, **values}, values, {**heads, **values}]
    unshared = [each for each in all_unshared if each.key not in values]
    others = {each.key: each.after for each in unshared if not each.is_used_before}
    disappearing = {each.key for each in unshared if each.is_used_before}
    for follower, size in followers_of_hidden_dim(values, sizes).items():
        if follower in disappearing and size.denominator == 1:
            others[follower] = int(size)
    if others:
        attempts += [{**attempt, **others} for attempt in attempts]
    return first_valid(model, attempts)


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
        if key.symbol == L and number != model.config[key]:
            return dict(repeated_lists(model, key, number)) if type(number) is int else {}
    return {}


def smallest_groups(
    changes: Sequence[Change], is_possible: Callable[[Iterable[Change]], bool]
) -> tuple[tuple[tuple[Change, ...], ...], tuple[Change, ...]]:
    """Divide changes into the smallest groups that are each possible alone.

    Args:
        changes: the changes, in order.
        is_possible: function that returns True if a model with only these changes is valid.

    Returns:
        The groups, in the order of their first changes, and the changes that are in no possible
        group.
    """
    alone = {change for change in changes if is_possible((change,))}
    groups = [{change} for change in changes if change in alone]
    without_group: list[Change] = []
    for change in changes:
        if any(change in group for group in groups):
            continue
        needed, group = set[Change](), {change}
        while group and needed != group:
            needed = group.union(*(each for each in groups if each & group))
            group = _smallest_with(needed, changes, groups, is_possible)
        if group:
            groups = [*(each for each in groups if not each <= group), group]
        else:
            without_group.append(change)
    in_order = [tuple(c for c in changes if c in group) for group in groups]
    return tuple(sorted(in_order, key=lambda g: changes.index(g[0]))), tuple(without_group)


def _smallest_with(
    needed: set[Change],
    changes: Sequence[Change],
    groups: Iterable[set[Change]],
    is_possible: Callable[[Iterable[Change]], bool],
) -> set[Change]:
    """A possible group with the needed changes from which no other change can be left out.

    Args:
        needed: changes that the group must have.
        changes: all changes.
        groups: changes that are possible together, to leave out first.
        is_possible: function that returns True if a model with only these changes is valid.

    Returns:
        The group; empty if neither the needed changes with at most one other one are possible nor
        all changes.
    """
    for group in (needed, *({*needed, change} for change in changes)):
        if is_possible(group):
            return set(group)
    group = set(changes)
    if not is_possible(group):
        return set()
    parts = [*groups, *({change} for change in changes)]
    while smaller := _without_a_part(group, [p for p in parts if not p & needed], is_possible):
        group = smaller
    return group


def _without_a_part(
    group: set[Change],
    parts: Iterable[set[Change]],
    is_possible: Callable[[Iterable[Change]], bool],
) -> set[Change]:
    """The group without the first part that it can do without; empty if it needs all of them."""
    smaller = (group - part for part in parts if part <= group)
    return next(filter(is_possible, smaller), set())


def largest_possible(
    groups: Sequence[ChangeGroup], is_possible: IsPossible
) -> tuple[ChangeGroup, ...]:
    """As many of the groups as are possible at the same time, in their order.

    ``is_possible`` returns True if a model with only these changes is valid.
    """
    # try all of them, then all but one
    for size in (len(groups), max(len(groups) - 1, 0)):
        for some_groups in combinations(groups, size):
            if is_possible(list(chain(*some_groups))):
                return some_groups
    # smaller choices are too many to try: add each group that is possible with those before it
    possible: tuple[ChangeGroup, ...] = ()
    for group in groups:
        if is_possible(list(chain(*possible, group))):
            possible = (*possible, group)
    return possible
