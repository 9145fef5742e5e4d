"""Changes of structure: parts of an architecture are replaced by those of another family."""

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
from sphinx_llmsize.differences.change_groups import with_values_if_valid
from sphinx_llmsize.differences.changed_keys import KeyChange
from sphinx_llmsize.differences.costs import Cost, cost_of
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
        cost: cost of the part in ``after`` minus that in ``before``.
    """

    aspect: Aspect
    before: Model
    after: Model
    cost: Cost


def structure_changes(
    before: Model, after: Model, forward_pass: ForwardPass
) -> tuple[StructureChange, ...]:
    """A change for every part of the architecture; their costs add up to the whole difference."""
    return tuple(
        StructureChange(aspect, before, after, _cost(aspect, before, after, forward_pass))
        for aspect in Aspect
    )


def _cost(aspect: Aspect, before: Model, after: Model, forward_pass: ForwardPass) -> Cost:
    groups = aspect.value
    return cost_of(after, forward_pass, groups) - cost_of(before, forward_pass, groups)


def with_sizes_before(other: Model, changes: Iterable[KeyChange]) -> Model | None:
    """The second model with the first one's values of some keys; None if such a model is invalid.

    Key/value heads that only the second model has stay in proportion to the query heads.
    """
    values = {change.key_after: change.before for change in changes}
    for key in other.config.explicit:
        if key.symbol == H_KV and key not in values:
            values |= _in_proportion(other, key, values)
    return with_values_if_valid(other, values)


def _in_proportion(other: Model, key: Key, values: Values) -> Values:
    """Key/value heads in the second model's proportion to the query heads, for new query heads.

    Empty if the query heads don't change, if all share one key/value head, or if the number
    wouldn't be whole.

    Args:
        other: the second model.
        key: key of the key/value heads.
        values: new values, of which one may be the query heads.
    """
    sizes = other.config.sizes
    for changed_key, heads in values.items():
        if changed_key.symbol == H and type(heads) is int and sizes[H_KV] != 1:
            kv_heads = Fraction(heads * sizes[H_KV], sizes[H])
            return {key: int(kv_heads)} if kv_heads.denominator == 1 else {}
    return {}
