"""Keys whose values differ between two models, in the order in which they are changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sphinx_llmsize.architecture.attention_heads import has_equal_heads
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import Key, ValueKind
from sphinx_llmsize.config.symbols import D_H, H_DEC, H_ENC, H_KV, L_DEC, L_ENC, D, H, L, P, V
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.shared_keys import shared_keys
from sphinx_llmsize.differences.used_keys import effective_size, is_used
from sphinx_llmsize.model import Model

FIRST = (V, D, L, L_ENC, L_DEC, H, H_ENC, H_DEC, H_KV, D_H)
"""Symbols of the sizes that are changed first; the others follow in the family's order."""
LAST = (P,)
"""Symbols of the sizes that are changed last."""
WITHOUT_COST = frozenset((k.MODEL_TYPE, k.TEXT_PART_OF, k.OTHER_PARTS, k.LABEL_NAMES, k.MTP_LAYERS))
"""Keys that change none of the numbers."""
ONLY_WEIGHTS = frozenset((k.TIE_EMBEDDINGS,))
"""Keys without a symbol that change only weights, unlike those of masks and positions."""
KINDS_TO_TRY = frozenset((ValueKind.FLAG, ValueKind.COUNT, ValueKind.WHOLE, ValueKind.NAME))
"""Kinds of keys whose value in one model can be tried in another."""


def changed_keys(one: Model, other: Model) -> tuple[KeyChange, ...]:
    """The keys to change, in order.

    In the same family these are all keys that differ, except those that follow from other keys; in
    different families, those of :func:`shared_keys` that differ.
    """
    if one.family is other.family:
        changes = _with_use(one, other, _different_keys(one, other))
    else:
        changes = (each for each in shared_keys(one, other) if each.before != each.after)
    return tuple(sorted(changes, key=_position))


def _different_keys(one: Model, other: Model) -> Iterator[KeyChange]:
    """The keys whose values differ between two models of the same family.

    These are keys that one of the authors wrote, and sizes with a symbol.
    """
    before, after = dict(one.config.settings), dict(other.config.settings)
    known = set(one.family.vocabulary.values()) - WITHOUT_COST
    explicit = one.config.explicit | other.config.explicit | {k.TIE_EMBEDDINGS}
    for key in {**before, **after}:
        value, value_after = before.get(key), after.get(key)
        if value != value_after and key in known and (key in explicit or key.symbol):
            size = effective_size(one, key, value)
            size_after = effective_size(other, key, value_after)
            is_computed = (size, size_after) != (value, value_after) and size != size_after
            effective = (size, size_after) if is_computed else None
            yield KeyChange(key, value, value_after, (key,), effective=effective)


def _with_use(one: Model, other: Model, changes: Iterable[KeyChange]) -> Iterator[KeyChange]:
    """The changes, with which of the models depend on the keys.

    Sizes and :data:`ONLY_WEIGHTS` are left out if neither does.
    """
    for change in changes:
        key = change.key
        if not _can_be_tried(one, other, key):
            yield change
            continue
        is_used_before = is_used(one, key, change.after)
        is_used_after = is_used(other, key, change.before)
        if not key.symbol:
            # unknown (None) for a flag that is invalid alone, and may be used with others
            is_used_before = is_used_before is not False
            is_used_after = is_used_after is not False
        if is_used_before or is_used_after:
            yield replace(
                change, is_used_before=bool(is_used_before), is_used_after=bool(is_used_after)
            )
        elif not key.symbol and key not in ONLY_WEIGHTS:
            yield change


def _can_be_tried(one: Model, other: Model, key: Key) -> bool:
    """True if the value in one model can be tried in the other, to see whether it has an effect.

    Lists of layers don't fit the other model's layers. If both models have as many key/value heads
    as query heads, these are tried only if a single one would change neither model.
    """
    if key.symbol == H_KV and all(has_equal_heads(m.architecture) for m in (one, other)):
        return not any(is_used(model, key, 1) for model in (one, other))
    return key.symbol is not None or key.kind in KINDS_TO_TRY


def _position(change: KeyChange) -> int:
    """Sort key: first sizes, other sizes, last sizes, then keys without a symbol."""
    symbol = change.key.symbol
    if symbol in FIRST:
        return FIRST.index(symbol)
    if symbol is None:
        return len(FIRST) + 2
    if symbol in LAST:
        return len(FIRST) + 1
    return len(FIRST)
