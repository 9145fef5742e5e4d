"""Keys that tell which layers are of which kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.keys.common import NUM_LAYERS
from sphinx_llmsize.config.rule import Rule, Settings, only_these, whole
from sphinx_llmsize.errors import ConfigError, Problem
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

FFN_TYPES = only_these(FFN_LAYER_TYPES, ("dense", "sparse"))
"""Layers are dense or sparse, which means with experts."""


def one_for_each_layer(*keys: Key) -> Rule:
    """Lists of these keys must have as many entries as the model has layers."""

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        layers = whole(settings, NUM_LAYERS)
        for key in keys:
            entries = settings.get(key)
            if isinstance(entries, tuple) and layers and len(entries) != layers:
                raise ConfigError(
                    _(
                        "{key} has {entries} entries for {layers} layers",
                        key=parsed.name(key),
                        entries=len(entries),
                        layers=layers,
                    ),
                    Problem.SHAPE,
                    hint=_("give one for each layer, or change {key}", key=parsed.name(NUM_LAYERS)),
                    line=parsed.line(key, NUM_LAYERS),
                )

    return Rule(check=check)
