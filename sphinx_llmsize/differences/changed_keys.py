"""Keys whose values differ between two models, in the order in which they are changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.changes.scale_sizes import with_values
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import D_H, H_KV, D, H, L, P, V
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model

FIRST = (V, D, L, H, H_KV, D_H)
"""Symbols of the sizes that are changed first; the others follow in the family's order."""
LAST = (P,)
"""Symbols of the sizes that are changed last."""
NO_SIZE = frozenset((k.MODEL_TYPE, k.TEXT_PART_OF, k.OTHER_PARTS, k.LABEL_NAMES, k.MTP_LAYERS))
"""Keys that change none of the numbers."""
SAME_EVERYWHERE = (k.TIE_EMBEDDINGS, k.ATTENTION_BIAS, k.MLP_BIAS, k.FIRST_DENSE_LAYERS)
"""Keys without a symbol that mean the same in all families that have them."""


@dataclass(frozen=True)
class KeyChange:
    """A key with its values in two models.

    Attributes:
        key: the key of the first model.
        before: value in the first model.
        after: value in the second model.
        key_after: the key of the second model, which has the same symbol.
    """

    key: Key
    before: Setting
    after: Setting
    key_after: Key


def changed_keys(one: Model, other: Model) -> tuple[KeyChange, ...]:
    """The keys to change, in order.

    In the same family these are all keys that differ, except those that follow from other keys.
    Different families share the sizes with the same symbols that both use, and
    :data:`SAME_EVERYWHERE`.
    """
    is_same = one.family is other.family
    pairs = _keys_of_family(one, other) if is_same else _shared_sizes(one, other)
    changes = [change for change in pairs if change.before != change.after]
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
            yield KeyChange(key, before, settings.get(key), key)


def _shared_sizes(one: Model, other: Model) -> Iterator[KeyChange]:
    """Pairs of values for models of different families."""
    keys_of_other = _shareable(other)
    for symbol, key in _shareable(one).items():
        other_key = keys_of_other.get(symbol)
        if not other_key:
            continue
        before, after = one.config[key], other.config[other_key]
        if not (isinstance(before, int) and isinstance(after, int)):
            continue
        if _is_used(one, key, after) == _is_used(other, other_key, before):
            yield KeyChange(key, before, after, other_key)


def _shareable(model: Model) -> dict[Symbol | Key, Key]:
    """The keys that a configuration can set and that families share, by symbol or by themselves."""
    known = set(model.family.vocabulary.values())
    keys = [key for key, _value in model.config.settings if key in known]
    return {key.symbol or key: key for key in keys if key.symbol or key in SAME_EVERYWHERE}


def _is_used(model: Model, key: Key, value: int) -> bool:
    """True for a size in shapes or products, or that would be in one if it had this value.

    GPT-2's feed-forward dimension isn't in a shape as long as it is 4·D.
    """
    if key.symbol in _used_sizes(model):
        return True
    try:
        return with_values(model, {key: value}).components != model.components
    except ConfigError:
        return False


def _used_sizes(model: Model) -> frozenset[Symbol]:
    """The symbols in shapes and products, and always D, L and H, on which other sizes depend."""
    symbols = {D, L, H, *model.architecture.symbols}
    for place in model.architecture.places():
        for matmul in place.stage.matmuls:
            symbols |= matmul.flops.symbols()
    return frozenset(symbols)


def _position(change: KeyChange) -> int:
    """Sort key: first sizes, other sizes, last sizes, then keys without a symbol."""
    symbol = change.key.symbol
    if symbol in FIRST:
        return FIRST.index(symbol)
    if symbol is None:
        return len(FIRST) + 2
    return len(FIRST) + 1 if symbol in LAST else len(FIRST)
