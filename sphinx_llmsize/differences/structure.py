"""Changes of structure: a model in the family of another one, with its own sizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from sphinx_llmsize.architecture.cost import ForwardPass
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.changes.scale_sizes import Values
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.differences.changed_keys import KeyChange
from sphinx_llmsize.differences.costs import Cost, cost_of
from sphinx_llmsize.differences.possible import with_settings_of
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


@dataclass(frozen=True)
class StructureChange:
    """Replacement of a part of the architecture, at the sizes of the first model.

    Attributes:
        aspect: the part.
        before: the first model.
        after: a model of the second one's family, with the sizes of the first.
        cost: the difference between the costs of their parts.
    """

    aspect: Aspect
    before: Model
    after: Model
    cost: Cost


def structure_changes(
    before: Model, after: Model, forward_pass: ForwardPass
) -> tuple[StructureChange, ...]:
    """A change for every part of the architecture; their costs add up to the difference."""
    return tuple(
        StructureChange(aspect, before, after, _cost(aspect, before, after, forward_pass))
        for aspect in Aspect
    )


def _cost(aspect: Aspect, before: Model, after: Model, forward_pass: ForwardPass) -> Cost:
    groups = aspect.value
    return cost_of(after, forward_pass, groups) - cost_of(before, forward_pass, groups)


def with_sizes_before(other: Model, changes: Iterable[KeyChange]) -> Model | None:
    """The second model with the first one's values of some keys; None if it is impossible.

    Key/value heads that only the second model has stay in proportion to the query heads.
    """
    values = {change.key_after: change.before for change in changes}
    for key in other.config.explicit:
        if key.symbol == H_KV and key not in values:
            values |= _in_proportion(other, key, values)
    return with_settings_of(other, values)


def _in_proportion(other: Model, key: Key, values: Values) -> Values:
    """The key with as many key/value heads for each query head as the second model has.

    Empty if the query heads stay, if all share one key/value head, or if there is no such number.
    """
    sizes = other.config.sizes
    heads = next((value for each, value in values.items() if each.symbol == H), None)
    if type(heads) is not int or sizes[H_KV] == 1:
        return {}
    proportional = Fraction(heads * sizes[H_KV], sizes[H])
    return {key: int(proportional)} if proportional.denominator == 1 else {}
