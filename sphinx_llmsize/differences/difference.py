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
from functools import cache

from sphinx_llmsize.architecture.cost import ForwardPass
from sphinx_llmsize.config.symbols import D_H, H_KV, H
from sphinx_llmsize.differences.change_groups import (
    ChangeGroup,
    largest_possible,
    smallest_groups,
    with_changes,
)
from sphinx_llmsize.differences.changed_keys import changed_keys
from sphinx_llmsize.differences.companions import groups_of_changes
from sphinx_llmsize.differences.costs import Cost, cost_of, sum_of
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.shared_keys import is_width_of_experts, replaced_widths
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
        before: the model that is changed.
        after: the model with the changes.
    """

    keys: tuple[KeyChange, ...]
    cost: Cost
    before: Model
    after: Model


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
        costs = [change.cost for change in self.sizes]
        costs += [change.cost for change in self.structure]
        return self.total - sum_of(costs)


def difference(one: Model, other: Model, forward_pass: ForwardPass) -> Difference:
    """The difference between two models, with the cost of each change alone.

    Args:
        one: the first model.
        other: the second model.
        forward_pass: the pass in which FLOPs are counted.
    """
    groups, with_structure = _groups(one, other)
    cost_of_one = cost_of(one, forward_pass)
    sizes: list[SizeChange] = []
    all_changes = _changes_in(groups)
    for group in groups:
        changed, before = with_changes(one, group, all_changes), one
        if changed is None:  # possible only with all others, so it is made after them
            others = with_changes(one, [each for each in all_changes if each not in group])
            changed, before = other, others or one
        cost = cost_of(changed, forward_pass) - cost_of(before, forward_pass)
        sizes.append(SizeChange(group, cost, before, changed))
    structure: tuple[StructureChange, ...] = ()
    if one.family is not other.family:
        same_sizes = with_sizes_before(one, other, _changes_in(groups)) or other
        structure = structure_changes(one, same_sizes, forward_pass)
    return Difference(
        one,
        other,
        cost_of_one,
        cost_of(other, forward_pass),
        tuple(sizes),
        structure,
        with_structure,
    )


def cumulative_difference(one: Model, other: Model, forward_pass: ForwardPass) -> Difference:
    """The difference between two models, with the cost of each change after those before it.

    Keys are changed first, then the parts of the architecture; the costs depend on this order, and
    :attr:`Difference.together` is 0.

    Args:
        one: the first model.
        other: the second model.
        forward_pass: the pass in which FLOPs are counted.
    """
    groups, with_structure = _groups(one, other)
    cost_of_one = cost_of(one, forward_pass)
    cost_of_other = cost_of(other, forward_pass)
    sizes: list[SizeChange] = []
    current, current_cost = one, cost_of_one  # the first model with the changes so far
    changes: ChangeGroup = ()
    waiting: ChangeGroup = ()  # changes that are possible only together with later ones
    for group in groups:
        waiting = (*waiting, *group)
        changed = with_changes(one, (*changes, *waiting), _changes_in(groups))
        if changed:
            cost = cost_of(changed, forward_pass)
            sizes.append(SizeChange(waiting, cost - current_cost, current, changed))
            current, current_cost = changed, cost
            changes = (*changes, *waiting)
            waiting = ()
    structure: tuple[StructureChange, ...] = ()
    if one.family is not other.family:
        structure = structure_changes(current, other, forward_pass)
        with_structure = (*waiting, *with_structure)
    elif waiting:
        sizes.append(SizeChange(waiting, cost_of_other - current_cost, current, other))
    return Difference(
        one, other, cost_of_one, cost_of_other, tuple(sizes), structure, with_structure
    )


def _groups(one: Model, other: Model) -> tuple[tuple[ChangeGroup, ...], ChangeGroup]:
    """The changed keys in groups, and those that change only with the architecture."""
    changes = changed_keys(one, other)

    @cache
    def is_valid(changed_groups: frozenset[ChangeGroup]) -> bool:
        made = _changes_in(changed_groups)
        changed = with_changes(one, made, changes)
        if changed is None or not all(_fits(changed, other, each) for each in made):
            return False
        others = [each for each in changes if each not in made]
        if _changes_others(one, changed, others) or not _has_whole_groups(one, other, changed):
            return False
        head_dims = (model.config.sizes.get(D_H) for model in (one, other))
        return changed.config.sizes.get(D_H) in head_dims

    def is_possible(changed_groups: Iterable[ChangeGroup]) -> bool:
        return is_valid(frozenset(changed_groups))

    def is_possible_before_structure(changes: Iterable[KeyChange]) -> bool:
        return with_sizes_before(one, other, changes) is not None

    if one.family is other.family:
        return groups_of_changes(one, other, changes, is_possible), ()
    found, _impossible = smallest_groups([(each,) for each in changes], is_possible)
    groups = largest_possible(tuple(map(_changes_in, found)), is_possible_before_structure)
    grouped = _changes_in(groups)
    widths = (each for each in replaced_widths(one, other) if each.before != each.after)
    return groups, (*(change for change in changes if change not in grouped), *widths)


def _fits(changed: Model, other: Model, change: KeyChange) -> bool:
    """False if the changed model doesn't have the new size, or has it in another part.

    Some families derive a size whatever is set. With the width of a dense network, experts would
    be far larger than those of either model.
    """
    symbol, sizes = change.key.symbol, changed.config.sizes
    if symbol in sizes and sizes[symbol] != change.after:
        return False
    of_experts = is_width_of_experts(other, change.keys_after[0])
    return is_width_of_experts(changed, change.key) == of_experts


def _changes_others(one: Model, changed: Model, others: Iterable[KeyChange]) -> bool:
    """True if the changed model has another value of a key that has a change of its own.

    The key/value heads may follow the query heads, and would be counted twice.
    """
    sizes_before, sizes = one.config.sizes, changed.config.sizes
    symbols = (each.key.symbol for each in others if each.is_shared)
    return any(s in sizes and sizes[s] != sizes_before.get(s) for s in symbols if s)


def _has_whole_groups(one: Model, other: Model, changed: Model) -> bool:
    """False if query heads don't share key/value heads evenly, as they do in both models."""
    one_divides, other_divides, divides = (
        not sizes[H] % sizes[H_KV] if sizes.get(H) and sizes.get(H_KV) else True
        for sizes in (model.config.sizes for model in (one, other, changed))
    )
    return divides or not (one_divides and other_divides)


def _changes_in(groups: Iterable[ChangeGroup]) -> ChangeGroup:
    """The changes of all groups."""
    return tuple(change for group in groups for change in group)
