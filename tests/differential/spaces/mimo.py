"""MiMo-V2-Flash: layers with sliding windows, layers with experts."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import ATTENTION_LAYER_TYPES, FFN_LAYER_TYPES, Space

SPACES = {
    "mimo_v2_flash": Space(
        {
            "layer_types": ATTENTION_LAYER_TYPES,
            "mlp_layer_types": FFN_LAYER_TYPES,
            "sliding_window_size": st.integers(1, 20),
        }
    ),
}
