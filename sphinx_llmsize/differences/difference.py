"""The difference between two models as changes, each with its own cost.

Every change is made alone, to the first model: one key gets the value that it has in the second
model, and everything else stays. Changes multiply each other: in wider layers, more layers cost
more. Which change this is attributed to depends on the order in which they are made, so it is a
cost of its own, ``together``. With it, the costs add up exactly to the difference of the models.
The difference in the other direction has the same total with the opposite sign.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sphinx_llmsize.architecture.cost import ForwardPass
from sphinx_llmsize.differences.changed_keys import NO_SIZE, KeyChange, changed_keys
from sphinx_llmsize.differences.costs import Cost, cost_of, sum_of
from sphinx_llmsize.differences.possible import (
    ChangeGroup,
    largest_possible,
    smallest_groups,
    with_changes,
)
from sphinx_llmsize.differences.structure import (
    StructureChange,
    structure_changes,
    with_sizes_before,
)
from sphinx_llmsize.model import Model


@dataclass(frozen=True)
class SizeChange:
    """Keys with other values, changed at the same time, and the cost of this change alone.

    Attributes:
        keys: one key, or several that cannot be changed without each other.
        cost: its cost in the first model.
    """

    keys: tuple[KeyChange, ...]
    cost: Cost


@dataclass(frozen=True)
class Difference:
    """The changes from one model to another, each with its own cost.

    Attributes:
        one: the first model.
        other: the second model.
        cost_of_one: cost of the first model.
        cost_of_other: cost of the second model.
        sizes: changed keys, in order.
        structure: replaced parts of the architecture, if the families differ.
        with_structure: keys that change with the architecture, whose costs are among those of
            ``structure``.
    """

    one: Model
    other: Model
    cost_of_one: Cost
    cost_of_other: Cost
    sizes: tuple[SizeChange, ...]
    structure: tuple[StructureChange, ...] = ()
    with_structure: tuple[KeyChange, ...] = ()

    @property
    def total(self) -> Cost:
        """The cost of the second model minus that of the first."""
        return self.cost_of_other - self.cost_of_one

    @property
    def together(self) -> Cost:
        """Cost of all changes together, beyond the sum of each alone."""
        costs = (
            *(change.cost for change in self.sizes),
            *(change.cost for change in self.structure),
        )
        return self.total - sum_of(costs)


def difference(one: Model, other: Model, forward_pass: ForwardPass) -> Difference:
    """Find what changes from one model to another, each change alone.

    Args:
        one: the first model.
        other: the second model.
        forward_pass: the pass in which FLOPs are counted.
    """
    groups, rest = _groups(one, other)
    cost = cost_of(one, forward_pass)

    def change(group: ChangeGroup) -> SizeChange:
        changed = with_changes(one, group) or other
        return SizeChange(group, cost_of(changed, forward_pass) - cost)

    structure: tuple[StructureChange, ...] = ()
    if one.family is not other.family:
        second = with_sizes_before(other, _changes(groups)) or other
        structure = structure_changes(one, second, forward_pass)
    total = cost_of(other, forward_pass)
    return Difference(one, other, cost, total, tuple(map(change, groups)), structure, rest)


def cumulative_difference(one: Model, other: Model, forward_pass: ForwardPass) -> Difference:
    """Find what changes from one model to another, each change made after those before it.

    The arguments are those of :func:`difference`. Keys are changed first, then the parts of the
    architecture; the costs depend on this order. ``together`` is 0.
    """
    groups, rest = _groups(one, other)
    costs = [cost_of(one, forward_pass)]
    sizes: list[SizeChange] = []
    made: ChangeGroup = ()
    waiting: ChangeGroup = ()
    last = one
    for group in groups:
        waiting = (*waiting, *group)
        changed = with_changes(one, (*made, *waiting))
        if changed:
            costs.append(cost_of(changed, forward_pass))
            sizes.append(SizeChange(waiting, costs[-1] - costs[-2]))
            made, waiting, last = (*made, *waiting), (), changed
    total = cost_of(other, forward_pass)
    structure: tuple[StructureChange, ...] = ()
    if one.family is not other.family:
        structure = structure_changes(last, other, forward_pass)
    elif waiting:
        sizes.append(SizeChange(waiting, total - costs[-1]))
        waiting = ()
    rest = (*waiting, *rest)
    return Difference(one, other, costs[0], total, tuple(sizes), structure, rest)


def _groups(one: Model, other: Model) -> tuple[tuple[ChangeGroup, ...], ChangeGroup]:
    """The changed keys in groups, and those that change only with the architecture."""
    changes = changed_keys(one, other)
    if one.family is other.family:
        changes = (*changes, *_unreached(one, other, changes))
    groups, left = smallest_groups(changes, lambda some: with_changes(one, some) is not None)
    if one.family is other.family:
        return (groups if not left else (changes,)), ()
    groups = largest_possible(groups, lambda some: with_sizes_before(other, some) is not None)
    in_groups = _changes(groups)
    return groups, tuple(each for each in changes if each not in in_groups)


def _unreached(one: Model, other: Model, changes: ChangeGroup) -> ChangeGroup:
    """The keys that nobody wrote, but that still differ in numbers after all other changes.

    Such are the labels of a classifier that the first model doesn't have.
    """
    reached = with_changes(one, changes)
    if reached is None or reached.components == other.components:
        return ()
    known = {change.key for change in changes} | NO_SIZE
    before, after = dict(one.config.settings), dict(reached.config.settings)
    return tuple(
        KeyChange(key, before.get(key), value, key)
        for key, value in other.config.settings
        if key not in known and value != after.get(key)
    )


def _changes(groups: Iterable[ChangeGroup]) -> ChangeGroup:
    return tuple(change for group in groups for change in group)
