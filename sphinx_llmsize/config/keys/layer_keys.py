"""Keys for the type of each layer, and for attention windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config import symbols as s
from sphinx_llmsize.config.key import Key, ValueKind, flag, make_key, size_key
from sphinx_llmsize.config.keys.common import NUM_LAYERS
from sphinx_llmsize.config.rule import Rule, Settings, int_or_none, only_these
from sphinx_llmsize.translation import N_, _

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed_config import ParsedConfig
    from sphinx_llmsize.errors import ConfigError

LAYER_TYPES = make_key(
    "layer_types layers_block_type",
    N_("the kind of each layer: full_attention, sliding_attention, linear_attention …"),
    ValueKind.NAMES,
    optional=True,
)
FULL_ATTENTION_INTERVAL = make_key(
    "full_attention_interval attn_layer_period", N_("one layer in this many has full attention")
)
FULL_ATTENTION_OFFSET = make_key(
    "full_attention_offset attn_layer_offset",
    N_("the first layer with full attention, from 0"),
    ValueKind.WHOLE,
)
FULL_ATTENTION_LAYERS = make_key(
    "full_attention_layers attn_layer_indices full_attn_idxs",
    N_("numbers of the layers that have full attention, from 0"),
    ValueKind.LAYERS,
    optional=True,
)
FFN_LAYER_TYPES = make_key(
    "ffn_layer_types mlp_layer_types",
    N_("FFN of each layer: dense or sparse (experts)"),
    ValueKind.NAMES,
    optional=True,
)
SHARED_KV_LAYERS = make_key(
    "num_shared_kv_layers num_kv_shared_layers",
    N_("layers at the end that use the keys and values of an earlier layer"),
    ValueKind.WHOLE,
)
PER_LAYER_CONFIG = make_key(
    "per_layer_config",
    N_("settings of single layers, by their numbers"),
    ValueKind.SECTION,
    optional=True,
)

# Attention windows
SLIDING_WINDOW = size_key(s.W_A, "sliding_window", kind=ValueKind.WINDOW, optional=True)
ATTENTION_CHUNK = size_key(s.W_C, "attention_chunk_size", kind=ValueKind.WINDOW, optional=True)
TWO_SIDED_WINDOW = make_key(
    "two_sided_window attention_window",
    N_("tokens in an attention window with half of them on each side, or one for each layer"),
    ValueKind.WHOLE_OR_LIST,
)
USES_WINDOW = flag("has_sliding_layers use_sliding_window", N_("sliding windows in some layers"))
MAX_WINDOW_LAYERS = make_key(
    "max_window_layers",
    N_("the layer where sliding windows begin, from 0; in Qwen2 MoE, where they end"),
    ValueKind.WHOLE,
)
WINDOW_PATTERN = make_key(
    "sliding_window_pattern",
    N_("one layer in this many has full attention; or a pattern of L (local) and G (global)"),
    ValueKind.PATTERN,
    optional=True,
)
DENSE_WINDOW_PATTERN = make_key(
    "dense_window_pattern prefix_dense_sliding_window_pattern",
    N_("one of the first, dense layers in this many has full attention"),
)
KINDS_IN_TURN = make_key(
    "attention_types",
    N_("a pattern of layer kinds, and how often it repeats: [[[global, local], 12]]"),
    ValueKind.TURNS,
    optional=True,
)
ROTARY_LAYERS = make_key(
    "rotary_layers no_rope_layers",
    N_("for each layer: 1 with rotary positions, 0 without"),
    ValueKind.WHOLE_OR_LIST,
    optional=True,
)
NO_ROPE_INTERVAL = make_key(
    "no_rope_interval no_rope_layer_interval",
    N_("one layer in this many has no rotary positions, unless rotary_layers is set"),
)

WITH_WINDOW = frozenset(("sliding_attention", "chunked_attention", "hybrid_sliding"))
"""Entries of ``layer_types`` for layers with windowed attention."""
FULL_ATTENTION_NAMES = ("full_attention", "attention")
"""Entries of ``layer_types`` for full attention; transformers replaces the second by the first."""


def one_for_each_layer(*keys: Key) -> Rule:
    """Rule: if the value of one of these keys is a list, it has one entry for each layer."""

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        layers = int_or_none(settings, NUM_LAYERS)
        for key in keys:
            entries = settings.get(key)
            if isinstance(entries, tuple) and layers and len(entries) != layers:
                hint = _("give one for each layer, or change {key}", key=parsed.name(NUM_LAYERS))
                raise wrong_length(parsed, key, len(entries), layers).with_hint(hint)

    return Rule(check=check)


def wrong_length(parsed: ParsedConfig, key: Key, entries: int, layers: int) -> ConfigError:
    """Error for a list whose length differs from the number of layers."""
    message = N_("{key} has {entries} entries for {layers} layers")
    return parsed.error(message, key, NUM_LAYERS, entries=entries, layers=layers)


def layer_types_of(*names: str) -> Rule:
    """Rule: ``layer_types`` has one entry for each layer, and only these entries."""
    rules = (one_for_each_layer(LAYER_TYPES), only_these(LAYER_TYPES, names))

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        for rule in rules:
            rule.check(settings, parsed)

    return Rule(check=check)


LISTED_WINDOWS_RULE = layer_types_of("sliding_attention", *FULL_ATTENTION_NAMES)
"""``layer_types`` has one entry for each layer: sliding windows or full attention."""

FFN_TYPES_RULE = only_these(FFN_LAYER_TYPES, ("dense", "sparse"))
"""Each entry of ``ffn_layer_types`` is ``dense`` or ``sparse`` (a mixture of experts)."""
