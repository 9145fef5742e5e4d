"""Groups of changes: the smallest ones that are possible without the others.

Some changes are impossible alone. From 12 heads and D = 768 to 10 heads and D = 640, neither change
is possible alone, since 10 doesn't divide 768 and 12 doesn't divide 640; both together are, so they
are joined into one group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from sphinx_llmsize.differences.key_change import KeyChange

ChangeGroup = tuple[KeyChange, ...]
"""Changes that are made together."""
GroupSet = frozenset[ChangeGroup]
"""Set of groups, to be tried or made together."""
IsPossible = Callable[[GroupSet], bool]
"""Function that returns True if exactly these groups can be changed, with all others unchanged."""


def changes_in(groups: Iterable[ChangeGroup]) -> ChangeGroup:
    """The changes of all groups."""
    return tuple(change for group in groups for change in group)


def smallest_groups(
    groups: Sequence[ChangeGroup], is_possible: IsPossible
) -> tuple[tuple[ChangeGroup, ...], ChangeGroup]:
    """Join groups of changes into the smallest ones that are each possible alone.

    Args:
        groups: the groups, in order.
        is_possible: function that tests a set of them.

    Returns:
        The joined groups, in the order of their first changes, and the changes that are in no
        possible group.
    """
    possible_sets = [each for each in _sets_of_one(groups) if is_possible(each)]
    without_set: list[ChangeGroup] = []
    for group in groups:
        if any(group in each for each in possible_sets):
            continue
        new_set = _smallest_set_of(group, groups, possible_sets, is_possible)
        if new_set:
            possible_sets = [*(each for each in possible_sets if not each <= new_set), new_set]
        else:
            without_set.append(group)
    in_order = [[group for group in groups if group in each] for each in possible_sets]
    in_order.sort(key=lambda joined: groups.index(joined[0]))
    return tuple(map(changes_in, in_order)), changes_in(without_set)


def _sets_of_one(groups: Iterable[ChangeGroup]) -> list[GroupSet]:
    """Sets of one group each."""
    return [frozenset((group,)) for group in groups]


def _smallest_set_of(
    group: ChangeGroup,
    groups: Sequence[ChangeGroup],
    possible_sets: Sequence[GroupSet],
    is_possible: IsPossible,
) -> GroupSet:
    """The smallest possible set with one group; empty if there is none.

    It contains each of the already possible sets as a whole, or not at all.
    """
    required: GroupSet = frozenset()
    found: GroupSet = frozenset((group,))
    # add the rest of every possible set of which only a part was found, until nothing is added
    while found and required != found:
        required = found.union(*(each for each in possible_sets if each & found))
        found = _smallest_set_with(required, groups, possible_sets, is_possible)
    return found


def _smallest_set_with(
    required: GroupSet,
    groups: Sequence[ChangeGroup],
    possible_sets: Iterable[GroupSet],
    is_possible: IsPossible,
) -> GroupSet:
    """A possible set with the required groups from which no other group can be removed.

    Args:
        required: groups that the set must have.
        groups: all groups.
        possible_sets: sets already found possible; each is tried for removal as a whole, before
            single groups.
        is_possible: function that tests a set.

    Returns:
        The set; empty if nothing is possible of what is tried: the required groups alone, with one
        more group, and all groups.
    """
    for candidate in (required, *(required | {group} for group in groups)):
        if is_possible(candidate):
            return candidate
    candidate = frozenset(groups)
    if not is_possible(candidate):
        return frozenset()
    removable = [each for each in (*possible_sets, *_sets_of_one(groups)) if not each & required]
    while smaller := _without_one(candidate, removable, is_possible):
        candidate = smaller
    return candidate


def _without_one(
    candidate: GroupSet, removable: Iterable[GroupSet], is_possible: IsPossible
) -> GroupSet:
    """The candidate without the first set whose removal leaves a possible one; empty if none."""
    for each in removable:
        if each <= candidate and is_possible(candidate - each):
            return candidate - each
    return frozenset()


def largest_possible(
    groups: Sequence[ChangeGroup], is_possible: IsPossible
) -> tuple[ChangeGroup, ...]:
    """As many of the groups as are possible at the same time, in their order."""
    # try all of them, then all but one
    for size in (len(groups), max(len(groups) - 1, 0)):
        for candidate in combinations(groups, size):
            if is_possible(frozenset(candidate)):
                return candidate
    # smaller choices are too many to try: add each group that is possible with those before it
    possible: tuple[ChangeGroup, ...] = ()
    for group in groups:
        if is_possible(frozenset((*possible, group))):
            possible = (*possible, group)
    return possible
