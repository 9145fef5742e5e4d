"""Groups of changes to a model: the smallest ones that result in a valid model.

Some changes are impossible alone, such as another number of heads that doesn't divide D.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, combinations

from sphinx_llmsize.changes.followers import repeated_lists
from sphinx_llmsize.changes.scale_sizes import Values, sizes_of, with_values
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.differences.changed_keys import KeyChange
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model

ChangeGroup = tuple[KeyChange, ...]
"""Changes that are made together, because one is impossible without the others."""


def with_changes(model: Model, changes: Iterable[KeyChange]) -> Model | None:
    """The model with some keys changed; None if such a model is invalid.

    Sizes that the family derives keep their values, and lists of layers repeat their pattern.
    """
    values = {change.key: change.after for change in changes}
    derived = {k: v for k, v in sizes_of(model).items() if k not in model.config.explicit}
    return with_values_if_valid(model, {**derived, **values})


def with_values_if_valid(model: Model, values: dict[Key, Setting]) -> Model | None:
    """The model with these values; None if such a model is invalid."""
    try:
        return with_values(model, {**_layer_lists(model, values), **values})
    except ConfigError:
        return None


def _layer_lists(model: Model, values: Values) -> Values:
    """Lists of layers for a new number of layers, with their pattern repeated."""
    for key, number in values.items():
        if key.symbol == L and number != model.config[key]:
            return dict(repeated_lists(model, key, number)) if type(number) is int else {}
    return {}


def smallest_groups(
    changes: Sequence[KeyChange], is_possible: Callable[[Iterable[KeyChange]], bool]
) -> tuple[tuple[ChangeGroup, ...], ChangeGroup]:
    """Divide changes into the smallest groups that are each possible alone.

    A change that is impossible alone is made with one other change, or else with all such changes.

    Args:
        changes: the changes, in order.
        is_possible: function that returns True if a model with only these changes is valid.

    Returns:
        The groups, in the order of their first changes, and the changes that are in no possible
        group.
    """
    impossible = [change for change in changes if not is_possible((change,))]
    groups = [{change} for change in changes]
    without_group: list[KeyChange] = []
    for change in impossible:
        pair = _possible_pair(change, changes, is_possible)
        if pair:
            groups = _merge(groups, set(pair))
        else:
            without_group.append(change)
    if without_group and is_possible(impossible):
        groups = _merge(groups, set(impossible))
        without_group = []
    possible_groups = [group for group in groups if group.isdisjoint(without_group)]
    in_order = (tuple(c for c in changes if c in group) for group in possible_groups)
    return tuple(in_order), tuple(without_group)


def _possible_pair(
    change: KeyChange,
    changes: Iterable[KeyChange],
    is_possible: Callable[[Iterable[KeyChange]], bool],
) -> ChangeGroup:
    """The change with the first other one with which it is possible; empty if there is none."""
    for other in changes:
        if other != change and is_possible((change, other)):
            return (change, other)
    return ()


def _merge(groups: Iterable[set[KeyChange]], together: set[KeyChange]) -> list[set[KeyChange]]:
    """Unite the groups that have a change in ``together``, in the place of the first of them."""
    merged: list[set[KeyChange]] = []
    united: set[KeyChange] = set()
    for group in groups:
        if group.isdisjoint(together):
            merged.append(group)
        else:
            if not united:
                merged.append(united)  # later groups are added to it
            united.update(group)
    return merged


def largest_possible(
    groups: Sequence[ChangeGroup], is_possible: Callable[[Iterable[KeyChange]], bool]
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
