"""Qwen."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import ATTENTION_LAYER_TYPES, Space

HEAD_DIM = st.sampled_from([8, 16, 24, 32])
NUM_EXPERTS = st.sampled_from([0, 4, 6, 16])


SPACES = {
    "qwen2": Space({"head_dim": HEAD_DIM, "use_sliding_window": st.booleans()}),
    "qwen3": Space({"layer_types": ATTENTION_LAYER_TYPES}),
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
