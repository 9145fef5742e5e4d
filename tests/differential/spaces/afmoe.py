"""AFMoE: its first layers are dense."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import ATTENTION_LAYER_TYPES, Space

SPACES = {
    "afmoe": Space(
        {"num_dense_layers": st.integers(0, 4), "layer_types": ATTENTION_LAYER_TYPES},
        rules=((r"expert_bias", "router"),),
    ),
}
