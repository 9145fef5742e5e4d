"""OLMo."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import ATTENTION_LAYER_TYPES, Draw, Space, heads_of
from differential.spaces.qwen import HEAD_DIM


def even_share(draw: Draw, config: dict[str, Any]) -> int:
    """Head dimension D / H, which OLMoE's norms assume."""
    return int(config["hidden_size"]) // heads_of(config)


SPACES = {
    "olmo": Space({"head_dim": HEAD_DIM}),
    "olmo2": Space({"head_dim": HEAD_DIM}),
    "olmo3": Space({"head_dim": HEAD_DIM, "layer_types": ATTENTION_LAYER_TYPES}),
    "olmoe": Space({"head_dim": even_share}),
    "flex_olmo": Space(
        {"head_dim": HEAD_DIM, "pad_token_id": st.just(0)}, always=("pad_token_id",)
    ),
}
