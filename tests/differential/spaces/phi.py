"""Phi, StarCoder2, Nemotron and EXAONE."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import ATTENTION_LAYER_TYPES, Space
from differential.spaces.qwen import HEAD_DIM

SPACES = {
    "phi": Space({"head_dim": HEAD_DIM}),
    "phi3": Space({"head_dim": HEAD_DIM, "pad_token_id": st.just(0)}, always=("pad_token_id",)),
    "phimoe": Space({"head_dim": HEAD_DIM}),
    "starcoder2": Space({"head_dim": HEAD_DIM}),
    "nemotron": Space(always=("num_key_value_heads",)),
    "exaone4": Space(
        {
            "head_dim": HEAD_DIM,
            "layer_types": ATTENTION_LAYER_TYPES,
            "sliding_window": st.sampled_from([None, 16]),
        }
    ),
}
