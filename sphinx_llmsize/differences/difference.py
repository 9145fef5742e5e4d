"""The difference between two models as changes, each with its own cost.

Every change is made alone, to the first model: one key gets the value that it has in the second
model, and everything else stays. Changes multiply each other: in wider layers, more layers cost
more. How much of that each change causes depends on the order in which they are made, so it is a
cost of its own, ``interaction``. With it, the costs add up exactly to the difference of the models.
The difference in the other direction has the same total with the opposite sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sphinx_llmsize.architecture.cost import ForwardPass
from sphinx_llmsize.differences.change_groups import ChangeGroup, changes_in
from sphinx_llmsize.differences.changed_models import with_changes
from sphinx_llmsize.differences.costs import Cost, cost_of, sum_of
from sphinx_llmsize.differences.grouped_changes import grouped_changes
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.structure import (
    StructureChange,
    structure_changes,
    with_sizes_before,
)
from sphinx_llmsize.model import Model


@dataclass(frozen=True)
class ConfigChange:
    """Keys of the configuration that are changed at the same time, with the cost of this change.

    Attributes:
        key_changes: one key, or several that cannot be changed without each other.
        cost: cost of ``after`` minus that of ``before``.
        before: the model that is changed.
        after: the model with the changes.
    """

    key_changes: tuple[KeyChange, ...]
    cost: Cost
    before: Model
    after: Model

    @classmethod
    def between(cls, before: Model, after: Model, group: ChangeGroup, cost: Cost) -> ConfigChange:
        """The change of a group of keys, with the sizes that they have in the two models."""
        return cls(tuple(each.in_models(before, after) for each in group), cost, before, after)

    @property
    def models(self) -> tuple[Model, Model]:
        """The models before and after the change."""
        return self.before, self.after


@dataclass(frozen=True)
class Difference:
    """The changes from one model to another, each with its own cost.

    Attributes:
        one: the first model.
        other: the second model.
        cost_of_one: cost of the first model.
        cost_of_other: cost of the second model.
        config_changes: changed keys, in order.
        structure_changes: replaced parts of the architecture, if the families differ.
        with_structure: keys that change with the architecture, whose costs are among those of
            ``structure_changes``.
    """

    one: Model
    other: Model
    cost_of_one: Cost
    cost_of_other: Cost
    config_changes: tuple[ConfigChange, ...]
    structure_changes: tuple[StructureChange, ...] = ()
    with_structure: tuple[KeyChange, ...] = ()

    @property
    def models(self) -> tuple[Model, Model]:
        """The first model and the second one."""
        return self.one, self.other

    @property
    def key_changes(self) -> tuple[KeyChange, ...]:
        """The changed keys of ``config_changes``."""
        return tuple(each for change in self.config_changes for each in change.key_changes)

    @property
    def total(self) -> Cost:
        """The cost of the second model minus that of the first."""
        return self.cost_of_other - self.cost_of_one

    @property
    def interaction(self) -> Cost:
        """Cost of all changes together, beyond the sum of each alone."""
        costs = [change.cost for change in self.config_changes]
        costs += [change.cost for change in self.structure_changes]
        return self.total - sum_of(costs)


def difference(one: Model, other: Model, forward_pass: ForwardPass) -> Difference:
    """The difference between two models, with the cost of each change alone.

    Args:
        one: the first model.
        other: the second model.
        forward_pass: the pass in which FLOPs are counted.
    """
    groups, with_structure = grouped_changes(one, other)
    all_changes = changes_in(groups)
    config_changes = tuple(
        _change_alone(one, other, group, all_changes, forward_pass) for group in groups
    )
    replaced_parts: tuple[StructureChange, ...] = ()
    if one.family is not other.family:
        same_sizes = with_sizes_before(one, other, all_changes) or other
        replaced_parts = structure_changes(one, same_sizes, forward_pass)
    return Difference(
        one,
        other,
        cost_of(one, forward_pass),
        cost_of(other, forward_pass),
        config_changes,
        replaced_parts,
        with_structure,
    )


def _change_alone(
    one: Model,
    other: Model,
    group: ChangeGroup,
    all_changes: ChangeGroup,
    forward_pass: ForwardPass,
) -> ConfigChange:
    """The change of one group: in the first model or, if that is invalid, as the last change.

    Args:
        one: the first model.
        other: the second model.
        group: the changes to make.
        all_changes: those of all groups.
        forward_pass: the pass in which FLOPs are counted.
    """
    before, after = one, with_changes(one, group, all_changes)
    if after is None:
        others = [each for each in all_changes if each not in group]
        before, after = with_changes(one, others) or one, other
    cost = cost_of(after, forward_pass) - cost_of(before, forward_pass)
    return ConfigChange.between(before, after, group, cost)


def cumulative_difference(one: Model, other: Model, forward_pass: ForwardPass) -> Difference:
    """The difference between two models, with the cost of each change after those before it.

    Keys are changed first, then the parts of the architecture; the costs depend on this order, and
    :attr:`Difference.interaction` is 0.

    Args:
        one: the first model.
        other: the second model.
        forward_pass: the pass in which FLOPs are counted.
    """
    groups, with_structure = grouped_changes(one, other)
    config_changes, impossible = _changes_in_sequence(one, groups, forward_pass)
    current = config_changes[-1].after if config_changes else one
    cost_of_other = cost_of(other, forward_pass)
    replaced_parts: tuple[StructureChange, ...] = ()
    if one.family is not other.family:
        replaced_parts = structure_changes(current, other, forward_pass)
        with_structure = (*impossible, *with_structure)
    elif impossible:
        cost = cost_of_other - cost_of(current, forward_pass)
        config_changes.append(ConfigChange.between(current, other, impossible, cost))
    return Difference(
        one,
        other,
        cost_of(one, forward_pass),
        cost_of_other,
        tuple(config_changes),
        replaced_parts,
        with_structure,
    )


def _changes_in_sequence(
    one: Model, groups: Sequence[ChangeGroup], forward_pass: ForwardPass
) -> tuple[list[ConfigChange], ChangeGroup]:
    """The changes of the groups, each after those before it, and the impossible changes at the end.

    A group that is impossible after those before it is changed together with the next ones.
    """
    config_changes: list[ConfigChange] = []
    current, current_cost = one, cost_of(one, forward_pass)  # the model with the changes so far
    made: ChangeGroup = ()
    waiting: ChangeGroup = ()
    for group in groups:
        waiting = (*waiting, *group)
        changed = with_changes(one, (*made, *waiting), changes_in(groups))
        if changed:
            cost = cost_of(changed, forward_pass)
            cost_of_group = cost - current_cost
            config_changes.append(ConfigChange.between(current, changed, waiting, cost_of_group))
            current, current_cost = changed, cost
            made = (*made, *waiting)
            waiting = ()
    return config_changes, waiting
