"""Laguna: the number of heads of each layer, and kinds of gates."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import ATTENTION_LAYER_TYPES, FFN_LAYER_TYPES, Draw, Space, layer_list


def heads_per_layer(draw: Draw, config: dict[str, Any]) -> list[int]:
    """A multiple of the number of key/value heads for each layer."""
    kv_heads = config["num_key_value_heads"]
    return draw(layer_list(config, kv_heads, 2 * kv_heads, 3 * kv_heads))


SPACES = {
    "laguna": Space(
        {
            "num_attention_heads_per_layer": heads_per_layer,
            "gating": st.sampled_from([True, False, "per-head", "per-element"]),
            "layer_types": ATTENTION_LAYER_TYPES,
            "mlp_layer_types": FFN_LAYER_TYPES,
        },
        rules=((r"e_score_correction_bias", "router"),),
    ),
}
