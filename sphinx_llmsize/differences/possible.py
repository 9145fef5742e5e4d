"""Models between two others: some keys changed, the others as they were."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

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
    """The first model with some keys changed; None if there can be no such model.

    Sizes that the family derives keep their values, and lists of layers repeat their pattern.
    """
    values = {change.key: change.after for change in changes}
    derived = {k: v for k, v in sizes_of(model).items() if k not in model.config.explicit}
    return with_settings_of(model, {**derived, **values})


def with_settings_of(model: Model, values: dict[Key, Setting]) -> Model | None:
    """The model with these values; None if there can be no such model."""
    try:
        return with_values(model, {**_layer_lists(model, values), **values})
    except ConfigError:
        return None


def _layer_lists(model: Model, values: Values) -> Values:
    """Lists of layers for a new number of layers, with their pattern repeated."""
    layers = next((k for k in values if k.symbol == L and values[k] != model.config[k]), None)
    number = values[layers] if layers else None
    return dict(repeated_lists(model, layers, number)) if layers and type(number) is int else {}


def smallest_groups(
    changes: Sequence[KeyChange], is_possible: Callable[[Iterable[KeyChange]], bool]
) -> tuple[tuple[ChangeGroup, ...], ChangeGroup]:
    """The changes in groups that are possible without each other.

    A change that is impossible alone is made with another one, or else with all such changes.

    Args:
        changes: the changes, in order.
        is_possible: true if there can be a model with only these changes.

    Returns:
        The groups, in the order of their first changes, and the changes that no group makes
        possible.
    """
    alone = {change: is_possible((change,)) for change in changes}
    impossible = [change for change in changes if not alone[change]]
    groups = [{change} for change in changes]
    left: list[KeyChange] = []
    for change in impossible:
        pairs = ((change, other) for other in changes if other != change)
        pair = next(filter(is_possible, pairs), None)
        if pair:
            groups = _merged(groups, set(pair))
        else:
            left.append(change)
    if left and is_possible(impossible):
        groups, left = _merged(groups, set(impossible)), []
    found = (tuple(c for c in changes if c in group) for group in groups)
    return tuple(group for group in found if not set(group) & set(left)), tuple(left)


def _merged(groups: list[set[KeyChange]], together: set[KeyChange]) -> list[set[KeyChange]]:
    """The groups, of which those with a change in ``together`` become one."""
    whole = set().union(*(group for group in groups if group & together))
    position = next(n for n, group in enumerate(groups) if group & together)
    others = [(n, group) for n, group in enumerate(groups) if not group & together]
    return [group for _n, group in sorted([*others, (position, whole)], key=lambda g: g[0])]


def largest_possible(
    groups: Sequence[ChangeGroup], is_possible: Callable[[Iterable[KeyChange]], bool]
) -> tuple[ChangeGroup, ...]:
    """As many of the groups as are possible at the same time, in order."""
    # try all of them, then all but one
    for size in (len(groups), len(groups) - 1):
        for chosen in combinations(groups, max(size, 0)):
            if is_possible([change for group in chosen for change in group]):
                return tuple(chosen)
    # smaller choices are too many to try: keep each group that is possible with those before it
    possible: tuple[ChangeGroup, ...] = ()
    for group in groups:
        if is_possible([change for each in (*possible, group) for change in each]):
            possible = (*possible, group)
    return possible
