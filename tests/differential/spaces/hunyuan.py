"""Hunyuan: experts per token that may differ between layers, and a head_dim."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space, layer_list
from differential.spaces.qwen import HEAD_DIM


def experts_per_token(draw: Draw, config: dict[str, Any]) -> int | list[int]:
    """One number for all layers, or a list with one for each."""
    return draw(st.integers(1, 3) | layer_list(config, 1, 2, 3))


SPACES = {
    "hunyuan_v1_moe": Space(
        {"moe_topk": experts_per_token, "head_dim": HEAD_DIM},
        always=("head_dim",),
        rules=((r"shared_mlp", "shared"),),
    ),
    # transformers fails if head_dim is null
    "hunyuan_v1_dense": Space(always=("head_dim",)),
}
