"""Keys of models whose full-attention layers have other heads than their sliding ones (Gemma 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.keys.common import HEAD_DIM, NUM_KV_HEADS, NUM_LAYERS
from sphinx_llmsize.config.keys.layer_types import LAYER_TYPES, PER_LAYER_CONFIG
from sphinx_llmsize.config.rule import Rule, Settings, whole
from sphinx_llmsize.config.symbols import D_G, H_G
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_, _

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed import ParsedConfig

FULL_ATTENTION_STEP = 6
"""One layer in how many has full attention where ``layer_types`` does not say; the last always."""
DEFAULT_HEAD_DIM = 512


GLOBAL_HEAD_DIM = size_key(D_G, "global_head_dim", optional=True)
GLOBAL_KV_HEADS = size_key(H_G, "num_global_kv_heads", "num_global_key_value_heads", optional=True)
KEYS_AS_VALUES = flag(
    "keys_as_values",
    N_("full-attention layers use what the key projection makes as values too"),
    "attention_k_eq_v",
)

Heads = tuple[object, object]
"""A layer's head dimension and its key/value heads."""


def is_full_attention(layer: int, settings: Settings) -> bool:
    """Whether a layer attends to all tokens: as listed, else every sixth, and the last."""
    types = settings[LAYER_TYPES]
    if isinstance(types, tuple) and layer < len(types) and types[layer] == "full_attention":
        return True
    every_sixth = types is None and (layer + 1) % FULL_ATTENTION_STEP == 0
    return every_sixth or layer + 1 == whole(settings, NUM_LAYERS)


def _heads_by_layer(section: Section, settings: Settings) -> Iterator[tuple[int, Heads]]:
    """The layers that ``per_layer_config`` has, and their heads."""
    for entry in section.entries:
        own = entry.value.entries if isinstance(entry.value, Section) else ()
        values = {inner.key: inner.value for inner in own}
        head_dim = values.pop("head_dim", settings[HEAD_DIM])
        kv_heads = values.pop("num_key_value_heads", settings[NUM_KV_HEADS])
        if not values and entry.key.isdecimal():
            yield int(entry.key), (head_dim, kv_heads)


def _derive_global_heads(settings: Settings) -> Settings:
    section, usual = settings[PER_LAYER_CONFIG], settings[NUM_KV_HEADS]
    if not isinstance(section, Section):
        return {GLOBAL_HEAD_DIM: DEFAULT_HEAD_DIM, GLOBAL_KV_HEADS: usual}
    of_full = (
        heads
        for layer, heads in _heads_by_layer(section, settings)
        if is_full_attention(layer, settings)
    )
    head_dim, kv_heads = next(of_full, (settings[HEAD_DIM], usual))
    assert isinstance(head_dim, int)
    assert isinstance(kv_heads, int)
    return {GLOBAL_HEAD_DIM: head_dim, GLOBAL_KV_HEADS: kv_heads}


def _check_per_layer_config(settings: Settings, parsed: ParsedConfig) -> None:
    section, layers = settings[PER_LAYER_CONFIG], whole(settings, NUM_LAYERS)
    if not isinstance(section, Section) or layers is None:
        return
    usual = (settings[HEAD_DIM], settings[NUM_KV_HEADS])
    found = dict(_heads_by_layer(section, settings))
    full = {layer: found[layer] for layer in found if is_full_attention(layer, settings)}
    others = {found[layer] for layer in found if layer not in full}
    fits = len(found) == len(section.entries) and max(found, default=0) < layers
    heads = set(full.values())
    uniform = heads <= {usual} or (len(heads) == 1 and len(full) == _full_layers(settings))
    whole_numbers = all(type(number) is int and number > 0 for pair in heads for number in pair)
    if not (fits and uniform and whole_numbers and others <= {usual}):
        raise ConfigError(
            _("per_layer_config does not give all full-attention layers the same heads"),
            Problem.SHAPE,
            hint=_(
                "give each of them one head_dim and one num_key_value_heads, and no other layer"
            ),
            line=parsed.line(PER_LAYER_CONFIG),
        )
    if double := next((k for k in (GLOBAL_HEAD_DIM, GLOBAL_KV_HEADS) if settings[k]), None):
        raise ConfigError(
            _("{key} is given, and per_layer_config too", key=parsed.name(double)),
            Problem.KEY,
            hint=_("keep one of them"),
            line=parsed.line(double),
        )


def _full_layers(settings: Settings) -> int:
    types, layers = settings[LAYER_TYPES], whole(settings, NUM_LAYERS) or 0
    if isinstance(types, tuple):
        return sum(is_full_attention(layer, settings) for layer in range(len(types)))
    return -(-layers // FULL_ATTENTION_STEP)


GLOBAL_HEADS = Rule(_derive_global_heads, _check_per_layer_config)
"""The heads of full-attention layers, as ``per_layer_config`` or their own keys have them."""
