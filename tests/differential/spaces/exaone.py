"""Random choice of the layers of K-EXAONE that have experts."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space
from differential.spaces.deepseek import ffn_layer_types
from differential.spaces.qwen import HEAD_DIM

SPACES = {
    "exaone_moe": Space(
        {
            "head_dim": HEAD_DIM,
            "mlp_layer_types": ffn_layer_types,
            "sliding_window_pattern": st.integers(1, 4),
        }
    ),
}
