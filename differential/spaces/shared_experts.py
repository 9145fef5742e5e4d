"""What is drawn for models with plain attention and, mostly, shared experts."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space
from differential.spaces.deepseek import ffn_layer_types
from differential.spaces.qwen import HEAD_DIM, attention_layer_types

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
    "exaone_moe": Space(
        {
            "head_dim": HEAD_DIM,
            "mlp_layer_types": ffn_layer_types,
            "sliding_window_pattern": st.integers(1, 4),
        }
    ),
    "mellum": Space(
        {
            "layer_types": attention_layer_types,
            "mlp_layer_types": ffn_layer_types,
            "num_mtp_layers": st.integers(0, 1),
        }
    ),
    "aria_text": Space({"moe_num_shared_experts": st.integers(1, 3)}),
    "solar_open": Space({"n_shared_experts": st.integers(1, 3)}),
}
