"""What is drawn for Hunyuan with experts."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space
from differential.spaces.deepseek import INDEXER, ffn_layer_types
from differential.spaces.qwen import HEAD_DIM


def used_experts(draw: Draw, config: dict[str, Any]) -> int | list[int]:
    """One number, or one for each of the layers that have been drawn."""
    layers = config["num_hidden_layers"]
    each = st.lists(st.integers(1, 3), min_size=layers, max_size=layers)
    return draw(st.one_of(st.integers(1, 3), each))


def indexer_types(draw: Draw, config: dict[str, Any]) -> list[str]:
    """One for each of the layers; the first has its own."""
    layers = config["num_hidden_layers"] - 1
    kinds = st.sampled_from(["full", "shared"])
    return ["full", *draw(st.lists(kinds, min_size=layers, max_size=layers))]


SPACES = {
    "hunyuan_v1_moe": Space(
        {"moe_topk": used_experts, "head_dim": HEAD_DIM},
        always=("head_dim",),
        rules=((r"shared_mlp", "shared"),),
    ),
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
