"""Shared experts, and which layers have any."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space
from differential.spaces.deepseek import ffn_layer_types
from differential.spaces.qwen import attention_layer_types

SPACES = {
    "mellum": Space(
        {
            "layer_types": attention_layer_types,
            "mlp_layer_types": ffn_layer_types,
            "num_mtp_layers": st.integers(0, 1),
        }
    ),
    "aria_text": Space({"moe_num_shared_experts": st.integers(0, 3)}),
    "solar_open": Space({"n_shared_experts": st.integers(1, 3)}),
}
