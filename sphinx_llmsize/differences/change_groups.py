"""Groups of changes: the smallest ones that are possible without the others.

Some changes are impossible alone, such as a number of heads that doesn't divide D.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from sphinx_llmsize.differences.key_change import KeyChange

ChangeGroup = tuple[KeyChange, ...]
"""Changes that are made together."""
IsPossible = Callable[[frozenset[ChangeGroup]], bool]
"""Function that returns True if some groups can be changed without the others."""


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
    # each round may find more groups, whose sets are then needed as a whole in the next one
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
