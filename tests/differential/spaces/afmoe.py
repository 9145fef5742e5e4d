"""Dense layers of AFMoE."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space
from differential.spaces.qwen import attention_layer_types

SPACES = {
    "afmoe": Space(
        {"num_dense_layers": st.integers(0, 4), "layer_types": attention_layer_types},
        rules=((r"expert_bias", "router"),),
    ),
}
