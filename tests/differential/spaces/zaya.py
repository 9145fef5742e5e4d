"""ZAYA1."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space, one_per_layer

SPACES = {
    "zaya": Space(
        {
            "router_hidden_size": st.sampled_from([8, 16, 24]),
            "cca_time0": st.integers(1, 4),
            "cca_time1": st.integers(1, 4),
            "sliding_window": st.integers(2, 20),
            "layer_types": one_per_layer("hybrid", "hybrid_sliding"),
        },
        always=("sliding_window",),
        never=("num_experts_per_tok",),
        rules=(
            (r"mlp\.gate\.", "router"),
            (r"residual_scale|input_hidden_states", "residual_scale"),
        ),
    ),
}
