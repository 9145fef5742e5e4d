"""Granite."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import ATTENTION_LAYER_TYPES, Space
from differential.spaces.qwen import HEAD_DIM

SHARED = {"shared_intermediate_size": st.integers(0, 9).map(lambda n: 8 * n)}
SHARED_RULES = ((r"shared_mlp", "shared"),)

SPACES = {
    "granite": Space({"head_dim": HEAD_DIM}),
    "granite_swa": Space({"head_dim": HEAD_DIM, "layer_types": ATTENTION_LAYER_TYPES}),
    "granitemoe": Space({"head_dim": HEAD_DIM}),
    "granitemoeshared": Space({"head_dim": HEAD_DIM, **SHARED}, rules=SHARED_RULES),
    "granitemoe_swa": Space(
        {"head_dim": HEAD_DIM, "layer_types": ATTENTION_LAYER_TYPES, **SHARED},
        rules=SHARED_RULES,
    ),
}
