"""Keys of heads that differ in full-attention layers (Gemma 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx_llmsize.algebra import ceil_div
from sphinx_llmsize.config import symbols as s
from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.keys.common import HEAD_DIM, NUM_KV_HEADS, NUM_LAYERS
from sphinx_llmsize.config.keys.layer_keys import LAYER_TYPES, PER_LAYER_CONFIG
from sphinx_llmsize.config.keys.per_layer_config import are_counts, settings_by_layer
from sphinx_llmsize.config.rule import Rule, Settings, int_or_none, names_of
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed_config import ParsedConfig

GLOBAL_HEAD_DIM = size_key(s.D_G, "global_head_dim", optional=True)
GLOBAL_KV_HEADS = size_key(s.H_G, "num_global_kv_heads num_global_key_value_heads", optional=True)
KEYS_AS_VALUES = flag(
    "keys_as_values attention_k_eq_v",
    N_("full-attention layers use what the key projection makes as values too"),
)
GEMMA4_ATTENTION_STEP = 6
"""Gemma 4's default distance between layers with full attention."""
DEFAULT_GLOBAL_HEAD_DIM = 512
"""Gemma 4's default head dimension of layers with full attention."""


def _is_full_attention(layer: int, settings: Settings) -> bool:
    """True for the last layer and for layers with full attention in ``layer_types`` (Gemma 4).

    Without ``layer_types``, every sixth layer and the last layer have full attention.
    """
    if layer + 1 == int_or_none(settings, NUM_LAYERS):
        return True
    if types := names_of(settings, LAYER_TYPES):
        return layer < len(types) and types[layer] == "full_attention"
    return (layer + 1) % GEMMA4_ATTENTION_STEP == 0


def _heads_by_layer(section: Section, settings: Settings) -> dict[int, tuple[Any, Any]]:
    """Head dimension and number of key/value heads of the layers in ``per_layer_config``.

    Layers with any other setting are left out, so that :func:`_check_global_heads` fails.
    """
    heads = {}
    for layer, values in settings_by_layer(section):
        head_dim = values.pop("head_dim", settings[HEAD_DIM])
        kv_heads = values.pop("num_key_value_heads", settings[NUM_KV_HEADS])
        if not values:
            heads[layer] = (head_dim, kv_heads)
    return heads


def _derive_global_heads(settings: Settings) -> Settings:
    """Heads of the first full-attention layer in ``per_layer_config``, or the defaults without it.

    With ``per_layer_config``, they default to the heads of the other layers.
    """
    section = settings[PER_LAYER_CONFIG]
    if not isinstance(section, Section):
        return {GLOBAL_HEAD_DIM: DEFAULT_GLOBAL_HEAD_DIM, GLOBAL_KV_HEADS: settings[NUM_KV_HEADS]}
    for layer, (head_dim, kv_heads) in _heads_by_layer(section, settings).items():
        if _is_full_attention(layer, settings):
            return {GLOBAL_HEAD_DIM: head_dim, GLOBAL_KV_HEADS: kv_heads}
    return {GLOBAL_HEAD_DIM: settings[HEAD_DIM], GLOBAL_KV_HEADS: settings[NUM_KV_HEADS]}


def _check_global_heads(settings: Settings, parsed: ParsedConfig) -> None:
    """Check that ``per_layer_config`` gives all full-attention layers the same heads.

    Raises:
        ConfigError: they differ, other layers have heads of their own, there are other settings
            or layers, or the heads of full-attention layers are also set by their own keys.
    """
    section = settings[PER_LAYER_CONFIG]
    layers = int_or_none(settings, NUM_LAYERS)
    if not isinstance(section, Section) or layers is None:
        return
    if not _gives_equal_heads(section, settings, layers):
        message = N_("per_layer_config does not give all full-attention layers the same heads")
        hint = N_("give each of them one head_dim and one num_key_value_heads, and no other layer")
        raise parsed.error(message, PER_LAYER_CONFIG, hint=hint)
    for key in (GLOBAL_HEAD_DIM, GLOBAL_KV_HEADS):
        if settings[key]:
            message = N_("{key} and per_layer_config are both given")
            hint = N_("keep one of them")
            raise parsed.error(message, key, hint=hint, problem=Problem.KEY)


def _gives_equal_heads(section: Section, settings: Settings, layers: int) -> bool:
    """True if only full-attention layers have other heads, and all of them the same ones.

    Layers that are not listed have the usual heads, which a listed layer may repeat.
    """
    heads_of = _heads_by_layer(section, settings)
    full_layers = [layer for layer in heads_of if _is_full_attention(layer, settings)]
    full_heads = {heads_of[layer] for layer in full_layers}
    other_heads = {heads for layer, heads in heads_of.items() if layer not in full_layers}
    usual_heads = {(settings[HEAD_DIM], settings[NUM_KV_HEADS])}
    # no entry is for a layer that doesn't exist, and none has other settings
    are_valid = len(heads_of) == len(section.entries) and max(heads_of, default=0) < layers
    all_listed = len(full_layers) == _count_full_attention(settings)
    are_equal = full_heads <= usual_heads or (all_listed and len(full_heads) == 1)
    all_are_counts = all(map(are_counts, full_heads))
    return are_valid and are_equal and all_are_counts and other_heads <= usual_heads


def _count_full_attention(settings: Settings) -> int:
    """Number of layers with full attention; see :func:`_is_full_attention`."""
    if types := names_of(settings, LAYER_TYPES):
        return sum(_is_full_attention(layer, settings) for layer in range(len(types)))
    # not counted one by one, as L may be huge; rounded up, as the last layer has full attention
    layers = int_or_none(settings, NUM_LAYERS) or 0
    return ceil_div(layers, GEMMA4_ATTENTION_STEP)


GLOBAL_HEADS_RULE = Rule(derive=_derive_global_heads, check=_check_global_heads)
"""Head sizes of full-attention layers: from ``per_layer_config`` or from their own keys."""
