"""Keys of latent attention in sliding layers, whose sizes are not the others' (dots3-note)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sphinx_llmsize.config.key import Key, size_key
from sphinx_llmsize.config.keys.common import NUM_HEADS, NUM_LAYERS
from sphinx_llmsize.config.keys.latent_attention_keys import (
    KV_LORA_RANK,
    NOPE_HEAD_DIM,
    Q_LORA_RANK,
    ROPE_HEAD_DIM,
    V_HEAD_DIM,
)
from sphinx_llmsize.config.keys.layer_types import LAYER_TYPES, PER_LAYER_CONFIG
from sphinx_llmsize.config.keys.window_keys import USES_WINDOW
from sphinx_llmsize.config.rule import Rule, Settings, whole
from sphinx_llmsize.config.symbols import (
    D_NOPE,
    D_NOPE_W,
    D_ROPE,
    D_ROPE_W,
    D_V,
    D_VW,
    H_W,
    R_KV,
    R_KVW,
    R_Q,
    R_QW,
    H,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_, _

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed import ParsedConfig


SLIDING_HEADS = size_key(H_W, "num_sliding_heads", "swa_num_attention_heads", optional=True)
SLIDING_Q_RANK = size_key(R_QW, "sliding_q_latent_dim", "swa_q_lora_rank", optional=True)
SLIDING_KV_RANK = size_key(R_KVW, "sliding_kv_latent_dim", "swa_kv_lora_rank", optional=True)
SLIDING_NOPE_DIM = size_key(
    D_NOPE_W, "sliding_nope_head_dim", "swa_qk_nope_head_dim", optional=True
)
SLIDING_ROPE_DIM = size_key(
    D_ROPE_W, "sliding_rope_head_dim", "swa_qk_rope_head_dim", optional=True
)
SLIDING_V_DIM = size_key(D_VW, "sliding_v_head_dim", "swa_v_head_dim", optional=True)
SLIDING_HEAD_DIM = Key(
    "sliding_head_dim", N_("head dimension of queries in sliding layers"), ("swa_head_dim",)
)

SLIDING_SIZES = {H: H_W, R_Q: R_QW, R_KV: R_KVW, D_NOPE: D_NOPE_W, D_ROPE: D_ROPE_W, D_V: D_VW}
"""What stands for each size in sliding layers."""
EVERYWHERE = {
    SLIDING_HEADS: NUM_HEADS,
    SLIDING_Q_RANK: Q_LORA_RANK,
    SLIDING_KV_RANK: KV_LORA_RANK,
    SLIDING_NOPE_DIM: NOPE_HEAD_DIM,
    SLIDING_ROPE_DIM: ROPE_HEAD_DIM,
    SLIDING_V_DIM: V_HEAD_DIM,
}
"""The same size of the other layers."""
MOST_LAYERS = 4096
"""Whose sizes are told layer by layer."""
USUAL = {
    SLIDING_HEADS: 64,
    SLIDING_Q_RANK: 1024,
    SLIDING_KV_RANK: 1024,
    SLIDING_NOPE_DIM: 192,
    SLIDING_V_DIM: 128,
}
Sizes = frozenset[tuple[Key, object]]
"""What one layer has that is not as in the others."""


def is_sliding(layer: int, settings: Settings) -> bool:
    """Whether a layer attends to a window: as listed, else all but two and every fourth."""
    types = settings[LAYER_TYPES]
    if isinstance(types, tuple):
        return layer < len(types) and types[layer] == "sliding_attention"
    return settings[USES_WINDOW] is True and layer > 1 and layer % 4 != 1


def _by_layer(section: Section) -> Iterator[tuple[int, Sizes]]:
    """The layers that ``per_layer_config`` has, and their sizes."""
    for entry in section.entries:
        own = entry.value.entries if isinstance(entry.value, Section) else ()
        values = {inner.key: inner.value for inner in own}
        if entry.key.isdecimal():
            sizes = (
                (key, values[name])
                for key, usual in EVERYWHERE.items()
                for name in usual.names
                if name in values
            )
            yield int(entry.key), frozenset(sizes)


def _derive(settings: Settings) -> Settings:
    section = settings[PER_LAYER_CONFIG]
    if not isinstance(section, Section):
        nope = whole(settings, SLIDING_NOPE_DIM) or USUAL[SLIDING_NOPE_DIM]
        head = whole(settings, SLIDING_HEAD_DIM) or 0
        return {**USUAL, SLIDING_ROPE_DIM: head - nope}
    sizes = dict(next((sizes for _, sizes in _by_layer(section)), frozenset()))
    own = {key: value for key, value in sizes.items() if isinstance(value, int)}
    return {key: own.get(key, settings[usual]) for key, usual in EVERYWHERE.items()}


def _check(settings: Settings, parsed: ParsedConfig) -> None:
    """Sliding layers are alike, and the parts of their heads add up.

    Raises:
        ConfigError: they are not.
    """
    section, layers = settings[PER_LAYER_CONFIG], whole(settings, NUM_LAYERS) or 0
    if isinstance(section, Section):
        found = dict(_by_layer(section))
        expected = sum(is_sliding(layer, settings) for layer in range(min(layers, MOST_LAYERS)))
        alike = len({*found.values()}) <= 1 and all(is_sliding(n, settings) for n in found)
        numbers = (value for sizes in found.values() for _, value in sizes)
        whole_numbers = all(type(number) is int and number > 0 for number in numbers)
        if not (alike and whole_numbers and len(found) in (0, expected) and layers < MOST_LAYERS):
            raise ConfigError(
                _("per_layer_config does not give all sliding layers the same sizes"),
                Problem.SHAPE,
                hint=_("give each of them the same, and no other layer"),
                line=parsed.line(PER_LAYER_CONFIG),
            )
        return
    head, rope = whole(settings, SLIDING_HEAD_DIM) or 0, whole(settings, SLIDING_ROPE_DIM)
    nope = whole(settings, SLIDING_NOPE_DIM) or USUAL[SLIDING_NOPE_DIM]
    if head <= nope or (rope and rope + nope != head):
        raise ConfigError(
            _(
                "sliding heads of {head} numbers are not {nope} without and {value} with positions",
                head=head,
                nope=nope,
                value=f"{rope or head - nope:,}",
            ),
            Problem.SHAPE,
            hint=_("swa_head_dim is the sum of both parts"),
            line=parsed.line(SLIDING_HEAD_DIM, SLIDING_NOPE_DIM, SLIDING_ROPE_DIM),
        )


SLIDING_LATENTS = Rule(_derive, _check)
"""Sizes of sliding layers: as ``per_layer_config`` or their own keys have them."""
