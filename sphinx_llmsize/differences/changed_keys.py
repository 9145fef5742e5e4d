"""Keys whose values differ between two models, in the order in which they are changed."""

from __future__ import annotations

from collections.abc import Iterator

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.symbols import D_H, H_DEC, H_ENC, H_KV, L_DEC, L_ENC, D, H, L, P, V
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.shared_keys import shared_keys
from sphinx_llmsize.model import Model

FIRST = (V, D, L, L_ENC, L_DEC, H, H_ENC, H_DEC, H_KV, D_H)
"""Symbols of the sizes that are changed first; the others follow in the family's order."""
LAST = (P,)
"""Symbols of the sizes that are changed last."""
NO_SIZE = frozenset((k.MODEL_TYPE, k.TEXT_PART_OF, k.OTHER_PARTS, k.LABEL_NAMES, k.MTP_LAYERS))
"""Keys that change none of the numbers."""


def changed_keys(one: Model, other: Model) -> tuple[KeyChange, ...]:
    """The keys to change, in order.

    In the same family these are all keys that differ, except those that follow from other keys; in
    different families, those of :func:`shared_keys` that differ.
    """
    is_same = one.family is other.family
    found = _keys_of_family(one, other) if is_same else shared_keys(one, other)
    changes = [change for change in found if change.before != change.after]
    return tuple(sorted(changes, key=_position))


def _keys_of_family(one: Model, other: Model) -> Iterator[KeyChange]:
    """Pairs of values for models of the same family.

    These are the keys that one of the authors wrote, and all sizes with a symbol.
    """
    settings = dict(other.config.settings)
    known = set(one.family.vocabulary.values()) - NO_SIZE
    explicit = one.config.explicit | other.config.explicit | {k.TIE_EMBEDDINGS}
    for key, before in one.config.settings:
        if key in known and (key in explicit or key.symbol):
            yield KeyChange(key, before, settings.get(key), (key,))


def _position(change: KeyChange) -> int:
    """Sort key: first sizes, other sizes, last sizes, then keys without a symbol."""
    symbol = change.key.symbol
    if symbol in FIRST:
        return FIRST.index(symbol)
    if symbol is None:
        return len(FIRST) + 2
    return len(FIRST) + 1 if symbol in LAST else len(FIRST)
