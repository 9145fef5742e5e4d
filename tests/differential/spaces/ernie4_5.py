"""ERNIE 4.5: a random range of layers with experts."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space
from differential.spaces.qwen import HEAD_DIM

SPACES = {
    "ernie4_5_moe": Space(
        {
            "head_dim": HEAD_DIM,
            "moe_num_shared_experts": st.integers(0, 3),
            "moe_layer_start_index": st.integers(0, 5),
            "moe_layer_end_index": st.integers(-1, 9),
        },
        rules=((r"moe_statics", "router"),),
    ),
}
