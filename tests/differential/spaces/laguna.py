"""Heads of each layer, and the kinds of gates of Laguna."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space
from differential.spaces.deepseek import ffn_layer_types
from differential.spaces.qwen import attention_layer_types


def heads_per_layer(draw: Draw, config: dict[str, Any]) -> list[int]:
    """One number for each of the layers that have been drawn."""
    layers, kv_heads = config["num_hidden_layers"], config["num_key_value_heads"]
    heads = st.sampled_from([kv_heads, 2 * kv_heads, 3 * kv_heads])
    return list(draw(st.lists(heads, min_size=layers, max_size=layers)))


SPACES = {
    "laguna": Space(
        {
            "num_attention_heads_per_layer": heads_per_layer,
            "gating": st.sampled_from([True, False, "per-head", "per-element"]),
            "layer_types": attention_layer_types,
            "mlp_layer_types": ffn_layer_types,
        },
        rules=((r"e_score_correction_bias", "router"),),
    ),
}
