"""Mellum, Aria and Solar Open: shared experts, layers with experts."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import ATTENTION_LAYER_TYPES, FFN_LAYER_TYPES, Space

SPACES = {
    "mellum": Space(
        {
            "layer_types": ATTENTION_LAYER_TYPES,
            "mlp_layer_types": FFN_LAYER_TYPES,
            "num_mtp_layers": st.integers(0, 1),
        }
    ),
    "aria_text": Space({"moe_num_shared_experts": st.integers(0, 3)}),
    "solar_open": Space({"n_shared_experts": st.integers(1, 3)}),
}
