"""Mistral Large 4."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import FFN_LAYER_TYPES, Draw, Space
from differential.spaces.deepseek import INDEXER
from differential.spaces.glm_moe import index_pattern, indexer_types


def kv_sources(draw: Draw, config: dict[str, Any]) -> list[int]:
    """For each layer itself, or the last layer alike that is its own source."""
    layers, interval = config["num_hidden_layers"], config.get("no_rope_layer_interval", 4)
    rotary = config.get("no_rope_layers") or [(n + 1) % interval != 0 for n in range(layers)]
    sources: list[int] = []
    for layer in range(layers):
        own = [n for n, source in enumerate(sources) if source == n and rotary[n] == rotary[layer]]
        sources.append(own[-1] if own and draw(st.booleans()) else layer)
    return sources


SPACES = {
    "mistral_large4_text": Space(
        values={
            **INDEXER,
            "mlp_layer_types": FFN_LAYER_TYPES,
            "indexer_types": indexer_types,
            "index_topk_pattern": index_pattern,
            "index_topk_freq": st.integers(0, 4),
            "index_skip_topk_offset": st.integers(0, 5),
            "no_rope_layer_interval": st.integers(1, 5),
            "kv_source_layers": kv_sources,
        },
        rules=((r"indexer", "indexer"), (r"rotary_emb\.alpha", "embedding")),
    ),
}
