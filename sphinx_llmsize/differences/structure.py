"""Changes of structure: parts of an architecture are replaced by those of another family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import isqrt
from typing import cast

from sphinx_llmsize.architecture.cost import ForwardPass
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.changes.scale_sizes import Values, sizes_of
from sphinx_llmsize.config.symbols import D_H, H_KV, D, H
from sphinx_llmsize.differences.changed_keys import shared_keys
from sphinx_llmsize.differences.changed_models import (
    first_valid,
    followers_of_hidden_dim,
    sizes_without_effect,
)
from sphinx_llmsize.differences.costs import Cost, cost_of
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.model import Model


class Aspect(Enum):
    """Part of an architecture that is replaced as a whole: some groups of stages."""

    EMBEDDING = (Group.EMBEDDING,)
    SEQUENCE = (Group.ATTENTION, Group.MIXER)
    """Attention, and mixers in its place."""
    FEED_FORWARD = (Group.FEED_FORWARD, Group.EXPERTS)
    RESIDUAL = (Group.RESIDUAL,)
    NORMS = (Group.NORMS,)
    HEAD = (Group.HEAD,)

    @property
    def id(self) -> str:
        """Name in data: ``feed_forward``."""
        return self.name.lower()


@dataclass(frozen=True)
class StructureChange:
    """Replacement of a part of the architecture, at the same sizes before and after.

    Attributes:
        aspect: the part.
        before: a model of the first one's family.
        after: a model of the second one's family.
        cost: cost of the part in ``after`` minus that in ``before``.
    """

    aspect: Aspect
    before: Model
    after: Model
    cost: Cost

    @property
    def id(self) -> str:
        """Name in data: ``feed_forward``."""
        return self.aspect.id

    @property
    def models(self) -> tuple[Model, Model]:
        """The models before and after the change."""
        return self.before, self.after


def structure_changes(
    before: Model, after: Model, forward_pass: ForwardPass
) -> tuple[StructureChange, ...]:
    """A change for every part of the architecture; their costs add up to the whole difference."""
    changes: list[StructureChange] = []
    for aspect in Aspect:
        groups = aspect.value
        cost = cost_of(after, forward_pass, *groups) - cost_of(before, forward_pass, *groups)
        changes.append(StructureChange(aspect, before, after, cost))
    return tuple(changes)


def with_sizes_before(one: Model, other: Model, changes: Iterable[KeyChange]) -> Model | None:
    """The second model with the first one's values of some keys; None if such a model is invalid.

    Keys with the same value in both models keep it, also where the second family derives it from
    others. A size without effect follows the hidden dimension. Key/value heads that only the second
    family has follow the query heads.
    """
    values: Values = {key: each.before for each in changes for key in each.keys_after}
    values |= sizes_without_effect(other, values)
    shared = shared_keys(one, other)
    if H_KV not in {each.key.symbol for each in shared}:
        values |= _heads_in_proportion(other, values)
    equal: Values = {}
    for each in shared:
        if each.before == each.after:
            equal.update(dict.fromkeys(each.keys_after, each.before))
    followers = _whole_followers(other, values)
    attempts = [
        {**equal, **values},  # keys with the same value in both models keep it
        values,  # the second family derives those that it has rules for
        *_with_heads_that_fit(other, values),
    ]
    if followers:
        attempts += [{**followers, **equal, **values}, {**followers, **values}]
    return first_valid(other, attempts)


def _whole_followers(other: Model, values: Values) -> Values:
    """The sizes that usually grow with a new hidden dimension, unless one would not be whole.

    An example is the number of state-space heads in Mamba-2.
    """
    followers = followers_of_hidden_dim(values, sizes_of(other))
    scaled = {key: size for key, size in followers.items() if key not in values}
    if any(size.denominator != 1 for size in scaled.values()):
        return {}
    return {key: int(size) for key, size in scaled.items()}


def _heads_in_proportion(other: Model, values: Values) -> Values:
    """Key/value heads for a new number of query heads, in about the proportion that they have now.

    Their number is the nearest divisor of that of the query heads. Empty if the query heads aren't
    among the new values, if the model has no key/value heads or one for all query heads, or if
    there is no divisor but 1 and the number itself.

    Args:
        other: the second model.
        values: new values, of which one may be the query heads.
    """
    sizes, keys = other.config.sizes, {key.symbol: key for key in sizes_of(other)}
    heads = next((value for key, value in values.items() if key.symbol == H), None)
    if H_KV not in keys or not isinstance(heads, int) or sizes[H_KV] == 1:
        return {}
    if sizes[H_KV] == sizes[H]:
        return {keys[H_KV]: heads}
    proportion = Fraction(heads * sizes[H_KV], sizes[H])
    # each divisor up to the square root has a counterpart above it
    small = [number for number in range(2, isqrt(heads) + 1) if heads % number == 0]
    divisors = sorted({*small, *(heads // number for number in small)})
    nearest = min(divisors, key=lambda number: abs(number - proportion), default=0)
    return {keys[H_KV]: nearest} if nearest else {}


def _with_heads_that_fit(other: Model, values: Values) -> Iterator[Values]:
    """The values with other head dimensions, or other numbers of heads, so that H·d_h = D."""
    keys = {key.symbol: key for key in sizes_of(other)}
    changed = {key.symbol: value for key, value in values.items() if key.symbol}
    sizes = {**other.config.sizes, **changed}
    for symbol, fixed in ((D_H, H), (H, D_H)):
        if symbol in keys and (number := sizes.get(fixed)):
            quotient = Fraction(cast("int", sizes[D]), cast("int", number))
            if quotient.denominator == 1:
                yield {**values, keys[symbol]: int(quotient)}
