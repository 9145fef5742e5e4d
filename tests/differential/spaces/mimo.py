"""Random choice of the layers of MiMo-V2-Flash with windows, and with experts."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space
from differential.spaces.deepseek import ffn_layer_types
from differential.spaces.qwen import attention_layer_types

SPACES = {
    "mimo_v2_flash": Space(
        {
            "layer_types": attention_layer_types,
            "mlp_layer_types": ffn_layer_types,
            "sliding_window_size": st.integers(1, 20),
        }
    ),
}
