"""Experts of each layer, and a head_dim, which Hunyuan needs."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space
from differential.spaces.qwen import HEAD_DIM


def used_experts(draw: Draw, config: dict[str, Any]) -> int | list[int]:
    """One number, or one for each of the layers that have been drawn."""
    layers = config["num_hidden_layers"]
    each = st.lists(st.integers(1, 3), min_size=layers, max_size=layers)
    return draw(st.one_of(st.integers(1, 3), each))


SPACES = {
    "hunyuan_v1_moe": Space(
        {"moe_topk": used_experts, "head_dim": HEAD_DIM},
        always=("head_dim",),
        rules=((r"shared_mlp", "shared"),),
    ),
    # transformers' code has no head_dim to take where it is null
    "hunyuan_v1_dense": Space(always=("head_dim",)),
}
