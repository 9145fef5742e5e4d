"""K-EXAONE: some layers dense, some with experts."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import FFN_LAYER_TYPES, Space
from differential.spaces.qwen import HEAD_DIM

SPACES = {
    "exaone_moe": Space(
        {
            "head_dim": HEAD_DIM,
            "mlp_layer_types": FFN_LAYER_TYPES,
            "sliding_window_pattern": st.integers(1, 4),
        }
    ),
}
