"""Models with some keys changed, in which all other sizes stay the same as far as possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

from sphinx_llmsize.changes.followers import repeated_lists, usual_followers
from sphinx_llmsize.changes.ineffective import used_symbols
from sphinx_llmsize.changes.scale_sizes import Values, sizes_of, with_values
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import D, H, L
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model


def with_changes(
    model: Model, changes: Iterable[KeyChange], all_changes: Iterable[KeyChange] = ()
) -> Model | None:
    """The model with some keys changed; None if such a model is invalid.

    All other sizes keep their values if the model is valid with them; those without effect
    (:func:`sizes_without_effect`) follow the hidden dimension. If the model is invalid, one with as
    many key/value heads as query heads keeps both equal, or the family derives the sizes that it
    has rules for. Lists of layers repeat their pattern. A size on which the model after the
    changes doesn't depend keeps its value if the model is invalid with the new one.

    Args:
        model: the model.
        changes: the keys to change.
        all_changes: all changes between the two models. Changes of keys that only one of them
            depends on are made too if the model is invalid without them.
    """
    unshared = tuple(each for each in all_changes if not each.is_shared)
    return _with_changes(model, tuple(changes), unshared)


@lru_cache(maxsize=256)  # each model is built to see whether it is valid, and again to be counted
def _with_changes(
    model: Model, changes: tuple[KeyChange, ...], unshared: tuple[KeyChange, ...]
) -> Model | None:
    """The model with some keys changed, and those of ``unshared`` if it is invalid without them."""
    return first_valid(model, _attempts(model, changes, unshared))


def _attempts(
    model: Model, changes: tuple[KeyChange, ...], unshared: tuple[KeyChange, ...]
) -> Iterator[Values]:
    """New values to try in turn, of which the first valid ones are taken.

    1. The changed keys, while all other sizes stay as they are; then the same with key/value heads
       that follow the query heads.
    2. Both of these, while the family derives the sizes that it has rules for.
    3. The changed keys without the sizes on which the model after the changes doesn't depend, if
       there are any; first all other sizes stay, then the family derives them.

    Then all three once more, with the changes of keys on which only one of the models depends.
    """
    values: Values = {change.key: change.after for change in changes}
    values |= sizes_without_effect(model, values)
    sizes = sizes_of(model)
    # sizes that aren't written in the configuration, derived or defaults; written as values, they
    # can't follow other sizes
    pinned = {key: size for key, size in sizes.items() if key not in model.config.explicit}
    kv_heads: Values = {}  # equal to the new query heads, if the model has equal numbers of both
    for key, value in values.items():
        if key.symbol == H:
            kv_heads.update(dict.fromkeys(usual_followers(key, sizes), value))
    unused_after = {each.key for each in changes if each.key.symbol and not each.is_used_after}
    needed = {key: value for key, value in values.items() if key not in unused_after}
    others = _values_of_unshared_keys(values, sizes, unshared)
    for extra in ({}, others) if others else ({},):
        for fixed in (pinned, {}):
            yield {**fixed, **values, **extra}
            yield {**fixed, **kv_heads, **values, **extra}
        if unused_after:
            yield {**pinned, **needed, **extra}
            yield {**needed, **extra}


def _values_of_unshared_keys(
    values: Values, sizes: dict[Key, int], unshared: Iterable[KeyChange]
) -> Values:
    """New values of keys that only one of the models depends on, to be changed with other keys.

    Keys that only the model after all changes depends on get its values. Sizes that only the model
    before them depends on grow with a new hidden dimension.

    Args:
        values: new values of the other keys.
        sizes: sizes of the model before the changes.
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


def sizes_without_effect(model: Model, values: Values) -> Values:
    """The sizes that have no effect as long as they equal the hidden dimension, with its new value.

    An example is OPT's embedding dimension: projections to the hidden dimension would be added if
    it stayed behind. Empty if the values have no new hidden dimension.

    Args:
        model: the model.
        values: new values; sizes among them follow nothing.
    """
    hidden = next((key for key in values if key.symbol == D), None)
    if hidden is None:
        return {}
    sizes, used = sizes_of(model), used_symbols(model)
    return {
        key: values[hidden]
        for key in usual_followers(hidden, sizes)
        if key not in values and key.symbol not in used and sizes[key] == sizes[hidden]
    }


def followers_of_hidden_dim(values: Values, sizes: dict[Key, int]) -> dict[Key, Fraction]:
    """The sizes that usually grow with a new hidden dimension, in proportion to it.

    Some may be fractions; there are none if the values have no hidden dimension.
    """
    for key, value in values.items():
        if key.symbol == D and isinstance(value, int):
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
        if key.symbol == L and isinstance(number, int) and number != model.config[key]:
            return dict(repeated_lists(model, key, number))
    return {}
