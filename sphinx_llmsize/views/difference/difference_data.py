"""A difference as data: exact numbers by name."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.differences.costs import NO_COST, Cost
from sphinx_llmsize.differences.difference import Difference
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.structure import StructureChange
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.changes_without_cost import changes_without_cost
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.part_changes import (
    ChangedPart,
    changed_parts,
    part_change_in_words,
)
from sphinx_llmsize.views.difference.text_pairs import Texts

Data = dict[str, object]


def difference_data(counted: CountedDifference) -> Data:
    """The changes with their costs, which add up to ``total``; see ``schema.json``."""
    difference = counted.difference
    return {
        "tokens": counted.tokens,
        "changes": [
            {
                "keys": [_key(each) for each in change.key_changes],
                "parts": [
                    _part_changed_by_keys(part) for part in changed_parts(difference, change)
                ],
                "cost": _cost(change.cost),
            }
            for change in difference.config_changes
        ],
        "with_architecture": [_key(each) for each in difference.with_structure],
        "architecture": [
            *(_structure_change(difference, change) for change in counted.shown_structure_changes),
            *(
                _architecture_entry(free.id, free.texts, NO_COST)
                for free in changes_without_cost(counted, difference.config_changes)
            ),
        ],
        "together": _cost(difference.interaction),
        "total": _cost(difference.total),
    }


def _structure_change(difference: Difference, change: StructureChange) -> Data:
    """A replaced part of the architecture, with the cost of the change."""
    texts = part_change_in_words(difference, change)
    return _architecture_entry(change.aspect.id, texts, change.cost)


def _architecture_entry(part: str, texts: Texts, cost: Cost) -> Data:
    """A part or property of the architecture before and after, with the cost of the change.

    Args:
        part: id of the part or property; a value that ``schema.json`` lists.
        texts: its descriptions in the first model and in the second.
        cost: cost of the change.
    """
    before, after = texts
    return {"part": part, "before": before, "after": after, "cost": _cost(cost)}


def _part_changed_by_keys(part: ChangedPart) -> Data:
    """A part that a change of keys replaces; ``part`` is its translated label here, not an id."""
    before, after = part.texts
    return {"part": _(part.label), "before": before, "after": after}


def _key(change: KeyChange) -> Data:
    """The name of a key with its values; null for a model that doesn't depend on it."""
    return {
        "key": change.key.name,
        "before": _value(change.before) if change.is_used_before else None,
        "after": _value(change.after) if change.is_used_after else None,
    }


def _value(value: object) -> object:
    """The value of a key as JSON: a scalar, a list or an object."""
    if isinstance(value, Section):
        return {entry.key: _value(entry.value) for entry in value.entries}
    if isinstance(value, tuple):
        return [_value(each) for each in value]
    return value


def _cost(cost: Cost) -> Data:
    return {
        "parameters": cost.parameters,
        "active": cost.active,
        "kv_cache_elements": _number(cost.cache),
        "flops": _number(cost.flops),
    }


def _number(number: Fraction) -> int | str:
    """A whole number, or a fraction as text: ``1/3``, such as FLOPs per token of a pooler."""
    return int(number) if number.denominator == 1 else str(number)
