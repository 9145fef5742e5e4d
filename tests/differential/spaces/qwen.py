"""Random values for Qwen."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space

HEAD_DIM = st.sampled_from([8, 16, 24, 32])
NUM_EXPERTS = st.sampled_from([0, 4, 6, 16])


def attention_layer_types(draw: Draw, config: dict[str, Any]) -> list[str]:
    """One for each of the layers that have been drawn."""
    layers = config["num_hidden_layers"]
    kinds = st.sampled_from(["full_attention", "sliding_attention"])
    return list(draw(st.lists(kinds, min_size=layers, max_size=layers)))


SPACES = {
    "qwen2": Space({"head_dim": HEAD_DIM, "use_sliding_window": st.booleans()}),
    "qwen3": Space({"layer_types": attention_layer_types}),
    "qwen2_moe": Space(
        {
            "head_dim": HEAD_DIM,
            "num_experts": NUM_EXPERTS,
            "use_sliding_window": st.booleans(),
            "shared_expert_intermediate_size": st.integers(0, 9).map(lambda n: 8 * n),
        }
    ),
    "qwen3_moe": Space({"head_dim": HEAD_DIM, "num_local_experts": NUM_EXPERTS}),
}
