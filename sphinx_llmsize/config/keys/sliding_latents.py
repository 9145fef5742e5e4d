"""Keys of latent attention whose sizes differ in sliding layers (dots3-note)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx_llmsize.config import symbols as s
from sphinx_llmsize.config.key import Key, make_key, size_key
from sphinx_llmsize.config.keys.common import NUM_HEADS, NUM_LAYERS
from sphinx_llmsize.config.keys.latent_attention_keys import (
    KV_LORA_RANK,
    NOPE_HEAD_DIM,
    Q_LORA_RANK,
    ROPE_HEAD_DIM,
    V_HEAD_DIM,
)
from sphinx_llmsize.config.keys.layer_keys import LAYER_TYPES, PER_LAYER_CONFIG, USES_WINDOW
from sphinx_llmsize.config.keys.per_layer_config import are_counts, settings_by_layer
from sphinx_llmsize.config.rule import Rule, Settings, int_or_none, names_of
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed_config import ParsedConfig

SLIDING_HEADS = size_key(s.H_W, "num_sliding_heads swa_num_attention_heads", optional=True)
SLIDING_Q_RANK = size_key(s.R_QW, "sliding_q_latent_dim swa_q_lora_rank", optional=True)
SLIDING_KV_RANK = size_key(s.R_KVW, "sliding_kv_latent_dim swa_kv_lora_rank", optional=True)
SLIDING_NOPE_DIM = size_key(s.D_NOPE_W, "sliding_nope_head_dim swa_qk_nope_head_dim", optional=True)
SLIDING_ROPE_DIM = size_key(s.D_ROPE_W, "sliding_rope_head_dim swa_qk_rope_head_dim", optional=True)
SLIDING_V_DIM = size_key(s.D_VW, "sliding_v_head_dim swa_v_head_dim", optional=True)
SLIDING_HEAD_DIM = make_key(
    "sliding_head_dim swa_head_dim", N_("head dimension of queries in sliding layers")
)
SLIDING_KEYS = {
    SLIDING_HEADS: NUM_HEADS,
    SLIDING_Q_RANK: Q_LORA_RANK,
    SLIDING_KV_RANK: KV_LORA_RANK,
    SLIDING_NOPE_DIM: NOPE_HEAD_DIM,
    SLIDING_ROPE_DIM: ROPE_HEAD_DIM,
    SLIDING_V_DIM: V_HEAD_DIM,
}
"""Keys of sliding layers, each with the key of the same size in full-attention layers."""
SLIDING_SIZES = {
    usual.symbol: own.symbol for own, usual in SLIDING_KEYS.items() if usual.symbol and own.symbol
}
"""Symbols of sizes in full-attention layers, each with that of the same size in sliding ones."""
SLIDING_NAMES = {
    *(name for usual in SLIDING_KEYS.values() for name in usual.names),
    "head_dim",
    "num_key_value_heads",
}
"""Keys allowed for a sliding layer in ``per_layer_config``; the last two change no size."""
SLIDING_DEFAULTS = {
    SLIDING_HEADS: 64,
    SLIDING_Q_RANK: 1024,
    SLIDING_KV_RANK: 1024,
    SLIDING_NOPE_DIM: 192,
    SLIDING_V_DIM: 128,
}
"""dots3-note's default sizes of sliding layers; d_rope is the rest of their head dimension."""
MAX_LISTED_LAYERS = 4096
"""A model with ``per_layer_config`` for sliding layers must have fewer layers than this."""


def is_usually_sliding(layer: int) -> bool:
    """True for the layers with sliding attention by default: all but 0, 1, 5, 9 … (dots3-note)."""
    return layer > 1 and layer % 4 != 1


def _is_sliding(layer: int, settings: Settings) -> bool:
    """True for layers with sliding attention by ``layer_types``; without it, by default."""
    if types := names_of(settings, LAYER_TYPES):
        return layer < len(types) and types[layer] == "sliding_attention"
    return settings[USES_WINDOW] is True and is_usually_sliding(layer)


def _sizes_by_layer(section: Section) -> dict[int, dict[Key, object]]:
    """Sizes of the layers in ``per_layer_config``, by the keys for sliding layers."""
    keys = {name: key for key, usual in SLIDING_KEYS.items() for name in usual.names}
    return {
        layer: {keys[name]: value for name, value in values.items() if name in keys}
        for layer, values in settings_by_layer(section)
    }


def _derive_sliding_sizes(settings: Settings) -> Settings:
    """Sizes of the first layer in ``per_layer_config``, or the defaults without it.

    With ``per_layer_config``, they default to the sizes of the other layers.
    """
    section = settings[PER_LAYER_CONFIG]
    if not isinstance(section, Section):
        nope = int_or_none(settings, SLIDING_NOPE_DIM) or SLIDING_DEFAULTS[SLIDING_NOPE_DIM]
        head = int_or_none(settings, SLIDING_HEAD_DIM) or 0
        return {**SLIDING_DEFAULTS, SLIDING_ROPE_DIM: head - nope}
    all_sizes = list(_sizes_by_layer(section).values())
    sizes: dict[Key, Any] = all_sizes[0] if all_sizes else {}
    return {key: sizes.get(key, settings[usual]) for key, usual in SLIDING_KEYS.items()}


def _check_sliding_sizes(settings: Settings, parsed: ParsedConfig) -> None:
    """Check ``per_layer_config`` or, without it, that d_nope and d_rope add up."""
    section = settings[PER_LAYER_CONFIG]
    if isinstance(section, Section):
        _check_sliding_layers(section, settings, parsed)
        return
    head = int_or_none(settings, SLIDING_HEAD_DIM) or 0
    rope = int_or_none(settings, SLIDING_ROPE_DIM) or 0
    nope = int_or_none(settings, SLIDING_NOPE_DIM) or SLIDING_DEFAULTS[SLIDING_NOPE_DIM]
    keys = (SLIDING_HEAD_DIM, SLIDING_NOPE_DIM, SLIDING_ROPE_DIM)
    hint = N_("{key} is the sum of {other} and {third}")
    if head <= nope:
        message = N_("{key} {head} is not larger than {other} {nope}")
        raise parsed.error(message, *keys, head=head, nope=nope, hint=hint)
    if rope and nope + rope != head:
        message = N_("{key} {head} is not {nope} + {rope}")
        raise parsed.error(message, *keys, head=head, nope=nope, rope=rope, hint=hint)


def _check_sliding_layers(section: Section, settings: Settings, parsed: ParsedConfig) -> None:
    """Check that ``per_layer_config`` has all sliding layers, with equal sizes, and no others."""
    layers = int_or_none(settings, NUM_LAYERS) or 0
    sizes_of = _sizes_by_layer(section)
    all_sizes = list(sizes_of.values())
    are_equal = all(sizes == all_sizes[0] for sizes in all_sizes)
    all_are_counts = all(are_counts(sizes.values()) for sizes in all_sizes)
    all_sliding = all(_is_sliding(layer, settings) for layer in sizes_of)
    expected = sum(_is_sliding(layer, settings) for layer in range(min(layers, MAX_LISTED_LAYERS)))
    is_complete = len(sizes_of) in (0, expected) and layers < MAX_LISTED_LAYERS
    names = {name for _layer, values in settings_by_layer(section) for name in values}
    are_valid = len(sizes_of) == len(section.entries) and names <= SLIDING_NAMES
    if not (are_valid and are_equal and all_are_counts and all_sliding and is_complete):
        message = N_("per_layer_config does not give all sliding layers the same sizes")
        hint = N_("give each of them the same, and no other layer")
        raise parsed.error(message, PER_LAYER_CONFIG, hint=hint)


SLIDING_LATENTS_RULE = Rule(derive=_derive_sliding_sizes, check=_check_sliding_sizes)
"""Latent-attention sizes of sliding layers: from ``per_layer_config`` or from their own keys."""
