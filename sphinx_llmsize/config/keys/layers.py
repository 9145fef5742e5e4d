"""Keys for the kind of each layer, and for attention windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config import symbols as s
from sphinx_llmsize.config.key import Key, Kind, flag, size_key
from sphinx_llmsize.config.keys.common import NUM_LAYERS
from sphinx_llmsize.config.rule import Rule, Settings, int_or_none, only_these
from sphinx_llmsize.translation import N_, _

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed import ParsedConfig

LAYER_TYPES = Key(
    "layer_types",
    N_("the kind of each layer: full_attention, sliding_attention, linear_attention …"),
    ("layers_block_type",),
    Kind.NAMES,
    optional=True,
)
FULL_ATTENTION_INTERVAL = Key(
    "full_attention_interval",
    N_("one layer in how many has full attention"),
    ("attn_layer_period",),
)
FULL_ATTENTION_OFFSET = Key(
    "full_attention_offset",
    N_("the first layer with full attention, from 0"),
    ("attn_layer_offset",),
    Kind.WHOLE,
)
FULL_ATTENTION_LAYERS = Key(
    "full_attention_layers",
    N_("numbers of the layers that have full attention, from 0"),
    ("attn_layer_indices", "full_attn_idxs"),
    Kind.LAYERS,
    optional=True,
)
FFN_LAYER_TYPES = Key(
    "ffn_layer_types",
    N_("what each layer has as feed-forward: dense (an MLP) or sparse (experts)"),
    ("mlp_layer_types",),
    Kind.NAMES,
    optional=True,
)
SHARED_KV_LAYERS = Key(
    "num_shared_kv_layers",
    N_("layers at the end that use the keys and values of an earlier layer"),
    ("num_kv_shared_layers",),
    Kind.WHOLE,
)
PER_LAYER_CONFIG = Key(
    "per_layer_config",
    N_("by the layer's number, what it has that is not as in the others"),
    kind=Kind.SECTION,
    optional=True,
)

# Attention windows
SLIDING_WINDOW = size_key(s.W_A, "sliding_window", kind=Kind.WINDOW, optional=True)
ATTENTION_CHUNK = size_key(s.W_C, "attention_chunk_size", kind=Kind.WINDOW, optional=True)
USES_WINDOW = flag(
    "has_sliding_layers", N_("some layers attend to a sliding window"), "use_sliding_window"
)
MAX_WINDOW_LAYERS = Key(
    "max_window_layers",
    N_("where sliding windows begin: the number of a layer, from 0; in Qwen2 MoE where they end"),
    kind=Kind.WHOLE,
)
WINDOW_PATTERN = Key(
    "sliding_window_pattern",
    N_("one layer in how many has full attention, or L (local) and G (global) in turn"),
    kind=Kind.PATTERN,
    optional=True,
)
DENSE_WINDOW_PATTERN = Key(
    "dense_window_pattern",
    N_("the same among the dense layers at the beginning"),
    ("prefix_dense_sliding_window_pattern",),
)
KINDS_IN_TURN = Key(
    "attention_types",
    N_("kinds of layers in turn, and how many turns: [[[global, local], 12]]"),
    kind=Kind.TURNS,
    optional=True,
)
ROTARY_LAYERS = Key(
    "rotary_layers",
    N_("for each layer 1, or 0 where it has no rotary positions"),
    ("no_rope_layers",),
    Kind.COUNTS,
    optional=True,
)
NO_ROPE_INTERVAL = Key(
    "no_rope_interval",
    N_("one layer in how many has no rotary positions, where rotary_layers does not say"),
    ("no_rope_layer_interval",),
)

WITH_WINDOW = frozenset(("sliding_attention", "chunked_attention", "hybrid_sliding"))
"""Names in ``layer_types`` of layers whose attention has a window."""
WITHOUT_WINDOW = frozenset(("full_attention", "attention", "hybrid"))
"""Names in ``layer_types`` of layers with full attention."""


def one_for_each_layer(*keys: Key) -> Rule:
    """Rule: lists of these keys have as many entries as the model has layers."""

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        layers = int_or_none(settings, NUM_LAYERS)
        for key in keys:
            entries = settings.get(key)
            if isinstance(entries, tuple) and layers and len(entries) != layers:
                message = _(
                    "{key} has {entries} entries for {layers} layers",
                    key=parsed.name(key),
                    entries=len(entries),
                    layers=layers,
                )
                hint = _("give one for each layer, or change {key}", key=parsed.name(NUM_LAYERS))
                raise parsed.error(message, key, NUM_LAYERS, hint=hint)

    return Rule(check=check)


_LENGTH = one_for_each_layer(LAYER_TYPES)
_NAMES = only_these(LAYER_TYPES, sorted(WITH_WINDOW | WITHOUT_WINDOW))


def _check_windows(settings: Settings, parsed: ParsedConfig) -> None:
    _LENGTH.check(settings, parsed)
    _NAMES.check(settings, parsed)


LISTED_WINDOWS = Rule(check=_check_windows)
"""``layer_types`` names one kind of attention for each layer."""

FFN_TYPES = only_these(FFN_LAYER_TYPES, ("dense", "sparse"))
"""Feed-forward layers are dense, or sparse: a mixture of experts."""
