"""Keys whose values differ between two models, in the order in which they are changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import Key, ValueKind
from sphinx_llmsize.config.symbols import D_H, H_DEC, H_ENC, H_KV, L_DEC, L_ENC, D, H, L, P, V
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.shared_keys import shared_keys
from sphinx_llmsize.differences.used_keys import effective_size, is_multi_head, is_used
from sphinx_llmsize.model import Model

FIRST = (V, D, L, L_ENC, L_DEC, H, H_ENC, H_DEC, H_KV, D_H)
"""Symbols of the sizes that are changed first; the others follow in the family's order."""
LAST = (P,)
"""Symbols of the sizes that are changed last."""
NO_SIZE = frozenset((k.MODEL_TYPE, k.TEXT_PART_OF, k.OTHER_PARTS, k.LABEL_NAMES, k.MTP_LAYERS))
"""Keys that change none of the numbers."""

KINDS_TO_TRY = frozenset((ValueKind.FLAG, ValueKind.COUNT, ValueKind.WHOLE, ValueKind.NAME))
"""Kinds of keys whose value in one model can be tried in another."""


def changed_keys(one: Model, other: Model) -> tuple[KeyChange, ...]:
    """The keys to change, in order.

    In the same family these are all keys that differ, except those that follow from other keys; in
    different families, those of :func:`shared_keys` that differ.
    """
    is_same = one.family is other.family
    found = _keys_of_family(one, other) if is_same else shared_keys(one, other)
    changes = [change for change in found if change.before != change.after]
    if is_same:
        changes = list(_with_use(one, other, changes))
    return tuple(sorted(changes, key=_position))


def _keys_of_family(one: Model, other: Model) -> Iterator[KeyChange]:
    """Pairs of values for models of the same family.

    These are the keys that one of the authors wrote, and all sizes with a symbol.
    """
    before, after = dict(one.config.settings), dict(other.config.settings)
    known = set(one.family.vocabulary.values()) - NO_SIZE
    explicit = one.config.explicit | other.config.explicit | {k.TIE_EMBEDDINGS}
    for key in {**before, **after}:
        if key in known and (key in explicit or key.symbol):
            values = before.get(key), after.get(key)
            sizes = effective_size(one, key, values[0]), effective_size(other, key, values[1])
            is_computed = sizes != values and sizes[0] != sizes[1]
            yield KeyChange(key, *values, (key,), effective=sizes if is_computed else None)


def _with_use(one: Model, other: Model, changes: Iterable[KeyChange]) -> Iterator[KeyChange]:
    """The changes, with which of the models depend on the keys; without sizes if neither does."""
    for change in changes:
        if not _can_be_unused(one, other, change.key):
            yield change
            continue
        unknown = change.key.symbol is None  # a flag that is invalid alone is used with others
        used_before = is_used(one, change.key, change.after)
        used_after = is_used(other, change.key, change.before)
        is_used_before = unknown if used_before is None else used_before
        is_used_after = unknown if used_after is None else used_after
        if is_used_before or is_used_after:
            yield replace(change, is_used_before=is_used_before, is_used_after=is_used_after)
        elif not change.key.symbol:
            yield change


def _can_be_unused(one: Model, other: Model, key: Key) -> bool:
    """True if the value in one model can be tried in the other.

    Lists of layers don't fit the other model's layers. Key/value heads that are as many as query
    heads are those, unless neither model would change with a single one.
    """
    if key.symbol == H_KV and is_multi_head(one) and is_multi_head(other):
        return not any(is_used(model, key, 1) for model in (one, other))
    return key.symbol is not None or key.kind in KINDS_TO_TRY


def _position(change: KeyChange) -> int:
    """Sort key: first sizes, other sizes, last sizes, then keys without a symbol."""
    symbol = change.key.symbol
    if symbol in FIRST:
        return FIRST.index(symbol)
    if symbol is None:
        return len(FIRST) + 2
    return len(FIRST) + 1 if symbol in LAST else len(FIRST)
