"""Keys to change between two models, in order: of the same family, or shared by two families."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.attention_heads import has_attention, has_equal_heads
from sphinx_llmsize.architecture.biases import biased_components
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.changes.scale_sizes import with_values
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import Key, ValueKind
from sphinx_llmsize.config.symbols import (
    D_H,
    F_DEC,
    F_E,
    F_ENC,
    H_DEC,
    H_ENC,
    H_KV,
    L_DEC,
    L_ENC,
    D,
    F,
    H,
    L,
    P,
    V,
)
from sphinx_llmsize.differences.key_change import (
    KeyChange,
    effective_size,
    is_used,
    uses_of_shared_layers,
)
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model

FIRST = (V, D, L, L_ENC, L_DEC, H, H_ENC, H_DEC, H_KV, D_H)
"""Symbols of the sizes that are changed first; the others follow in the family's order."""
LAST = (P,)
"""Symbols of the sizes that are changed last."""
WITHOUT_COST = frozenset((k.MODEL_TYPE, k.TEXT_PART_OF, k.OTHER_PARTS, k.LABEL_NAMES, k.MTP_LAYERS))
"""Keys that are not listed, since they change no cost."""
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

    These are keys in one of the two texts, sizes with a symbol, and the flag of tied embeddings.
    """
    before, after = dict(one.config.settings), dict(other.config.settings)
    known = set(one.family.vocabulary.values()) - WITHOUT_COST
    explicit = one.config.explicit | other.config.explicit | {k.TIE_EMBEDDINGS}
    if before.get(k.MAMBA_WIDTH) != after.get(k.MAMBA_WIDTH):
        known -= {k.EXPAND}  # the width that follows from it is listed
    for key in {**before, **after}:
        value, value_after = before.get(key), after.get(key)
        if value != value_after and key in known and (key in explicit or key.symbol):
            yield KeyChange(key, value, value_after, (key,))


def _with_use(one: Model, other: Model, changes: Iterable[KeyChange]) -> Iterator[KeyChange]:
    """The changes, each with whether the two models depend on its key.

    Sizes and :data:`ONLY_WEIGHTS` are left out if neither model depends on them.
    """
    for change in changes:
        key = change.key
        if not _can_be_tried(one, other, key):
            yield change
            continue
        is_used_before = is_used(one, key, change.after)
        is_used_after = is_used(other, key, change.before)
        if not key.symbol:
            # unknown (None) for a flag that is invalid alone: it may be used with further changes
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
    as query heads, their number is tried only if a single key/value head would change neither.
    """
    if key.symbol == H_KV and all(has_equal_heads(m.architecture) for m in (one, other)):
        return not any(is_used(model, key, 1) for model in (one, other))
    return key.symbol is not None or key.kind in KINDS_TO_TRY


def _position(change: KeyChange) -> int:
    """Sort key: sizes in FIRST, other sizes, sizes in LAST, then keys without a symbol."""
    symbol = change.key.symbol
    if symbol in FIRST:
        return FIRST.index(symbol)
    if symbol is None:
        return len(FIRST) + 2
    if symbol in LAST:
        return len(FIRST) + 1
    return len(FIRST)


WITHOUT_SYMBOL = (k.TIE_EMBEDDINGS, k.ATTENTION_BIAS, k.MLP_BIAS, k.FIRST_DENSE_LAYERS)
"""Keys without a symbol that families share; flags only if :func:`_effect_of` is the same."""
SHARED_LAYERS = "shared layers"
"""Name of the layers with shared weights in :func:`_effect_of`, beside names of components."""
DIVIDED = {H: (H_ENC, H_DEC), F: (F_ENC, F_DEC)}
"""Sizes of one stack, each with the two sizes that encoder-decoders have in its place."""

Keys = dict["Symbol | Key", Key]
"""Keys of a family by symbol; a key without a symbol is its own index."""


@lru_cache(maxsize=16)  # used by each attempt to change sizes of the second model
def shared_keys(one: Model, other: Model) -> tuple[KeyChange, ...]:
    """The keys with the same symbol, and those in :data:`WITHOUT_SYMBOL`, that both models use.

    Keys that neither model uses are included if their values are equal.
    """
    shared: list[KeyChange] = []
    for keys, keys_after in _pairs(_shareable(one), _shareable(other)):
        before, after = one.config[keys[0]], other.config[keys_after[0]]
        if any(one.config[key] != before for key in keys):
            continue  # encoder and decoder differ
        if any(other.config[key] != after for key in keys_after):
            continue
        if not (isinstance(before, int) and isinstance(after, int)):
            continue
        is_used_before = is_used(one, keys[0], after)
        is_used_after = is_used(other, keys_after[0], before)
        is_unused = not is_used_before and not is_used_after
        if _effect_of(one, keys[0]) != _effect_of(other, keys_after[0]):
            continue  # attention_bias is on Q, K and V in GLM-4, and on the output too in Llama
        if (is_used_before and is_used_after) or (is_unused and before == after):
            shared += [KeyChange(key, before, after, keys_after) for key in keys]
    return tuple(shared)


def _effect_of(model: Model, key: Key) -> frozenset[str]:
    """The components whose biases depend on a flag, or which it ties; empty for other keys.

    In BART, the flag that ties the LM head also ties the token embedding of the decoder; in Zamba,
    the shared layers.
    """
    if key.kind is not ValueKind.FLAG:
        return frozenset()
    try:
        changed = with_values(model, {key: not model.config.flag(key)})
    except ConfigError:
        return frozenset()
    biased, biased_after = (
        frozenset(biased_components(each.architecture.placed_stages())) for each in (model, changed)
    )
    if key != k.TIE_EMBEDDINGS:
        return biased ^ biased_after
    tied = set()
    if model.components["token_embedding"] != changed.components["token_embedding"]:
        tied.add("token_embedding")
    if uses_of_shared_layers(model) != uses_of_shared_layers(changed):
        tied.add(SHARED_LAYERS)
    return frozenset(tied)


def replaced_widths(one: Model, other: Model) -> Iterator[KeyChange]:
    """The width of one model's dense networks and of the other's experts, if no model has both."""
    keys, keys_of_other = _widths(one), _widths(other)
    for before, after in ((F, F_E), (F_E, F)):
        is_replaced = after not in keys and before not in keys_of_other
        if before in keys and after in keys_of_other and is_replaced:
            key, key_after = keys[before], keys_of_other[after]
            yield KeyChange(key, one.config[key], other.config[key_after], (key_after,))


def _widths(model: Model) -> Keys:
    """The widths of dense networks and of experts that the model uses."""
    return {
        symbol: key
        for symbol, key in _shareable(model).items()
        if symbol in {F, F_E}
        and model.config[key]
        and is_used(model, key, 2 * model.config.count(key))
    }


def is_width_of_experts(model: Model, key: Key) -> bool:
    """True for a width that only experts have."""
    if key.symbol is None:
        return False
    placed_stages = model.architecture.placed_stages()
    groups = {p.stage.group for p in placed_stages if p.stage.depends_on(key.symbol)}
    return groups == {Group.EXPERTS}


def _pairs(keys: Keys, keys_of_other: Keys) -> Iterator[tuple[tuple[Key, ...], tuple[Key, ...]]]:
    """Keys of one model with their counterparts in another, in the order of the first model's."""
    for symbol, key in keys.items():
        if symbol in keys_of_other:
            yield (key,), (keys_of_other[symbol],)
    for whole, (encoder, decoder) in DIVIDED.items():
        if whole in keys and {encoder, decoder} <= keys_of_other.keys():
            yield (keys[whole],), (keys_of_other[encoder], keys_of_other[decoder])
        elif whole in keys_of_other and {encoder, decoder} <= keys.keys():
            yield (keys[encoder], keys[decoder]), (keys_of_other[whole],)


def _shareable(model: Model) -> Keys:
    """The keys that a configuration can set and that families share.

    A feed-forward dimension that only experts have is listed as F_e, even if its symbol in the
    family is F. Two sizes are left out: a feed-forward dimension from which the model computes
    another width, and the heads of a model without attention.
    """
    known = set(model.family.vocabulary.values())
    settings = ((key, value) for key, value in model.config.settings if key in known)
    keys = [key for key, value in settings if effective_size(model, key, value) == value]
    found = {key.symbol or key: key for key in keys if key.symbol or key in WITHOUT_SYMBOL}
    if not has_attention(model.architecture):
        found.pop(H, None)
    if F in found and F_E not in found and is_width_of_experts(model, found[F]):
        found[F_E] = found.pop(F)
    return found
