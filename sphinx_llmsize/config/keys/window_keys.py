"""Keys of attention that reaches back to a window of tokens, and of which layers have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.key import Key, Kind, flag, size_key
from sphinx_llmsize.config.keys.layer_types import LAYER_TYPES, one_for_each_layer
from sphinx_llmsize.config.rule import Rule, Settings, only_these
from sphinx_llmsize.config.symbols import W_A, W_C
from sphinx_llmsize.translation import N_

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed import ParsedConfig


SLIDING_WINDOW = size_key(W_A, "sliding_window", kind=Kind.WINDOW, optional=True)
ATTENTION_CHUNK = size_key(W_C, "attention_chunk_size", kind=Kind.WINDOW, optional=True)
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
"""Names of layers whose attention reaches back to the first token."""

_LISTS = (
    one_for_each_layer(LAYER_TYPES),
    only_these(LAYER_TYPES, sorted(WITH_WINDOW | WITHOUT_WINDOW)),
)


def _check_list(settings: Settings, parsed: ParsedConfig) -> None:
    for rule in _LISTS:
        rule.check(settings, parsed)


LISTED_WINDOWS = Rule(check=_check_list)
"""Where layers are listed, each has full attention or a window."""
