"""Cohere: dense layers before those with experts; Compass needs rope_parameters."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import FFN_LAYER_TYPES, Space

WIDTH = st.integers(1, 20).map(lambda n: 8 * n)
ROPE = {"rope_type": "default", "rope_theta": 10_000.0}


SPACES = {
    "cohere2_moe": Space(
        values={
            "prefix_dense_intermediate_size": st.one_of(st.none(), WIDTH),
            "first_k_dense_replace": st.integers(0, 4),
            "mlp_layer_types": FFN_LAYER_TYPES,
            "num_shared_experts": st.integers(0, 3),
            "rms_norm_eps": st.sampled_from([None, 1e-5]),
        }
    ),
    "cohere_compass_text": Space(
        values={"rope_parameters": st.just({"full_attention": ROPE, "sliding_attention": ROPE})},
        always=("rope_parameters",),
    ),
}
