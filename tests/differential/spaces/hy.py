"""Indexers of each layer, and shared experts of Hy3 and Hy4."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space
from differential.spaces.deepseek import INDEXER, ffn_layer_types


def indexer_types(draw: Draw, config: dict[str, Any]) -> list[str]:
    """One for each of the layers; the first has its own."""
    layers = config["num_hidden_layers"] - 1
    kinds = st.sampled_from(["full", "shared"])
    return ["full", *draw(st.lists(kinds, min_size=layers, max_size=layers))]


SPACES = {
    "hy_v3": Space({"num_shared_experts": st.integers(0, 3), "mlp_layer_types": ffn_layer_types}),
    "hy_v4": Space(
        {
            **INDEXER,
            "pad_token_id": st.just(0),
            "hc_mult": st.integers(1, 4),
            "mlp_layer_types": ffn_layer_types,
            "indexer_types": indexer_types,
        },
        always=("pad_token_id",),
        rules=((r"indexer", "indexer"), (r"_hc\.|hc_head", "hyper_connections")),
    ),
}
