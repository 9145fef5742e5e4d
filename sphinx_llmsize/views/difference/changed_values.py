"""Values of changed keys before and after: ``32,000 → 128,256``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import cast

from sphinx_llmsize.architecture.attention_heads import has_attention
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key, ValueKind
from sphinx_llmsize.config.symbols import F_E, F_S, F, H
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.shared.key_text import key_name, value_text
from sphinx_llmsize.views.shared.wording import comma_separated

WITH_SHARED_LAYERS = N_("weights of the LM head and of the shared layers")
"""Name of the flag of tied embeddings if layers share weights only while it is true."""
VALUES_WITH_SHARED_LAYERS = N_("their own"), N_("tied and shared")
"""Words for the values false and true of the flag in :data:`WITH_SHARED_LAYERS`."""
MAX_ITEMS = 4
"""Maximum number of items, or of different names, of a list that are shown."""


def size_name(model: Model, key: Key) -> str:
    """Name of a key in a model, by the parts that depend on it; usually that of the family.

    The width of a family's experts may be its feed-forward dimension, and a model without routed
    experts may have a single dense network as wide as the shared expert of other models.
    """
    stages = [placed.stage for placed in model.architecture.placed_stages()]
    groups = {each.group for each in stages if key.symbol and each.depends_on(key.symbol)}
    if key.symbol == F and groups == {Group.EXPERTS}:
        return _(F_E.meaning)
    if key.symbol == F_S and groups == {Group.FEED_FORWARD}:
        return _(F.meaning)
    if key.symbol == H and not has_attention(model.architecture):
        return _("heads")
    return key_name(key)


def changed_name(models: tuple[Model, Model], change: KeyChange) -> str:
    """Name of a changed key; both names if it is another size in the second model.

    A model that doesn't depend on the key has no name for it.
    """
    if change.ties_layers:
        return _(WITH_SHARED_LAYERS)
    before = size_name(models[0], change.key) if change.is_used_before else ""
    after = size_name(models[1], change.keys_after[0]) if change.is_used_after else ""
    usual, usual_after = key_name(change.key), key_name(change.keys_after[0])
    if before in {"", usual} and after in {"", usual_after}:
        return usual
    if before and after and before != after:
        return arrow_text(before, after)
    return before or after


def key_change_text(change: KeyChange) -> str:
    """``32,000 → 128,256``: the values of a key before and after a change."""
    before, after = key_change_values(change)
    return arrow_text(before, after)


def key_change_values(change: KeyChange) -> tuple[str, str]:
    """``("32,000", "128,256")``: the values of a key before and after a change."""
    # a family whose LM head is always tied, or never, doesn't read this key, but its value is right
    is_always_shown = change.key == k.TIE_EMBEDDINGS
    value, value_after = change.values
    before = after = _("not used")
    # a size that replaces the key's value is shown, too, such as the single KV head of Falcon 7B
    if change.is_used_before or is_always_shown or value != change.before:
        before = _value(change, value)
    if change.is_used_after or is_always_shown or value_after != change.after:
        after = _value(change, value_after)
    return before, after


def _value(change: KeyChange, value: Setting) -> str:
    """One of the values; without a list, the family has a rule, such as every sixth layer."""
    if change.ties_layers:
        return _(VALUES_WITH_SHARED_LAYERS[bool(value)])
    is_list = isinstance(change.before, tuple) or isinstance(change.after, tuple)
    if is_list and value is None:
        return _("the default")
    return _value_or_items(change.key, value)


def arrow_text(before: str, after: str) -> str:
    """``before → after``; ``Q and K norms added`` if there was nothing before."""
    if not before:
        return _("{part} added", part=after)
    if not after:
        return _("{part} removed", part=before)
    return f"{before} → {after}"


def _value_or_items(key: Key, value: Setting) -> str:
    """A value as in other views, but a list in short: its items, or how many there are."""
    if key.kind is ValueKind.LETTERS and isinstance(value, str):
        return _counted(value)
    if not isinstance(value, tuple):
        return value_text(key, value)
    if key.kind is ValueKind.TURNS:
        return comma_separated(map(_turn_text, value))
    if any(isinstance(each, (Section, tuple)) for each in value):
        return value_text(key, value)
    return _items(key, value)


def _items(key: Key, items: tuple[object, ...]) -> str:
    """The items of a short list; how often each name occurs, or how many items there are."""
    if len(items) <= MAX_ITEMS:
        return comma_separated(map(str, items))
    if len(set(items)) <= MAX_ITEMS and all(isinstance(each, str) for each in items):
        return _counted(map(str, items))
    if key.kind is ValueKind.LAYERS:
        return ngettext("{n} layer", "{n} layers", len(items), n=len(items))
    return _("{number} entries", number=len(items))


def _turn_text(turn: object) -> str:
    """``(global, local) × 12``: kinds of layers in turn, and how many turns."""
    kinds, times = cast("tuple[Sequence[str], int]", turn)
    return f"({', '.join(kinds)}) × {times}"


def _counted(items: Iterable[str]) -> str:
    """How often each item occurs: ``28 sliding_attention, 7 full_attention``."""
    return comma_separated(f"{number} {name}" for name, number in Counter(items).items())
