"""A difference as data: exact numbers by name."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.differences.costs import Cost
from sphinx_llmsize.differences.difference import ConfigChange
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.incomparable_layers import Layers, incomparable_layers
from sphinx_llmsize.views.difference.listed_changes import listed_changes
from sphinx_llmsize.views.difference.pairs import Texts

Data = dict[str, object]


def difference_data(counted: CountedDifference) -> Data:
    """The changes with their costs, which add up to ``total``; see ``schema.json``."""
    difference = counted.difference
    changes = listed_changes(counted, with_every_key=True)
    layers = incomparable_layers(difference)
    return {
        "tokens": counted.tokens,
        "changes": [
            {
                "keys": [_key(each) for each in listed.change.key_changes],
                "parts": [
                    {"part": part.aspect.id, **_before_and_after(part.texts)}
                    for part in listed.parts
                ],
                "cost": _cost(counted, listed.cost),
            }
            for listed in changes
            if isinstance(listed.change, ConfigChange)
        ],
        "with_architecture": [
            *([_layers(*layers)] if layers else []),
            *(_key(each) for each in difference.with_structure),
        ],
        # replaced parts, and changes without a cost: each has exactly one pair of texts
        "architecture": [
            {
                "part": listed.change.id,
                **_before_and_after(listed.values[0]),
                "cost": _cost(counted, listed.cost),
            }
            for listed in changes
            if not isinstance(listed.change, ConfigChange)
        ],
        "together": _cost(counted, difference.interaction),
        "total": _cost(counted, difference.total),
    }


def _before_and_after(texts: Texts) -> Data:
    before, after = texts
    return {"before": before, "after": after}


def _key(change: KeyChange) -> Data:
    """The name of a key with its values; null for a model that doesn't depend on it."""
    return {
        "key": change.key.name,
        "before": _value(change.before) if change.is_used_before else None,
        "after": _value(change.after) if change.is_used_after else None,
    }


def _layers(before: Layers, after: Layers) -> Data:
    """The layers of both models: one number, or a list of those of an encoder and a decoder."""
    return {
        "key": k.NUM_LAYERS.name,
        "before": before[0] if len(before) == 1 else list(before),
        "after": after[0] if len(after) == 1 else list(after),
    }


def _value(value: object) -> object:
    """The value of a key as JSON: a scalar, a list or an object."""
    if isinstance(value, Section):
        return {entry.key: _value(entry.value) for entry in value.entries}
    if isinstance(value, tuple):
        return [_value(each) for each in value]
    return value


def _cost(counted: CountedDifference, cost: Cost) -> Data:
    """The numbers of a cost; FLOPs are those of the next token or of a forward pass."""
    # Cost.flops is per token
    counted_tokens = 1 if counted.is_per_token else counted.tokens
    return {
        "parameters": cost.parameters,
        "active": cost.active,
        "kv_cache_elements": _number(cost.cache),
        "flops": _number(cost.flops * counted_tokens),
    }


def _number(number: Fraction) -> int | str:
    """A whole number, or a fraction as text: ``1/3`` of an element per token."""
    return int(number) if number.denominator == 1 else str(number)
