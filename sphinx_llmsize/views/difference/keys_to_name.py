"""Keys that name a change of several keys, from which the others follow."""

from __future__ import annotations

from sphinx_llmsize.architecture.attention_heads import has_equal_heads
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.differences.difference import ConfigChange
from sphinx_llmsize.differences.groups_in_same_family import value_by_rule
from sphinx_llmsize.differences.key_change import KeyChange

COUNTS = frozenset((ValueKind.COUNT, ValueKind.WHOLE))
"""Kinds of keys that are numbers of things."""


def keys_to_name(change: ConfigChange) -> tuple[KeyChange, ...]:
    """The keys of a change to name: those that are sizes or other numbers of things.

    All keys, if none is a size or number, or if any key matters to only one of the models. Two are
    left out if others remain: the number of key/value heads, if both models have as many as query
    heads; and a number that gives another size its new value, such as RecurrentGemma's width of
    gate and up together, which is twice the feed-forward dimension.
    """
    changes = change.key_changes
    if all(has_equal_heads(model.architecture) for model in change.models):
        changes = tuple(each for each in changes if each.key != k.NUM_KV_HEADS) or changes
    if not all(each.is_shared for each in changes):
        return changes
    numbers = tuple(each for each in changes if each.key.symbol or each.key.kind in COUNTS)
    return tuple(each for each in numbers if not _sets_a_size(change, each)) or numbers or changes


def _sets_a_size(change: ConfigChange, source: KeyChange) -> bool:
    """True if changing this key alone gives another size of the change its new value."""
    return any(
        size.before != size.after and size.after == value_by_rule(change.before, size, source)
        for size in change.key_changes
        if size != source
    )


def is_count_of_one_model(change: KeyChange) -> bool:
    """True for a count without a symbol that is null in one of the models."""
    is_count = change.key.kind is ValueKind.COUNT and not change.key.symbol
    return is_count and (change.before is None or change.after is None)
