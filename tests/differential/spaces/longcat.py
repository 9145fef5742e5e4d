"""LongCat Flash."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

SPACES = {
    "longcat_flash": Space(
        values={
            "zero_expert_num": st.integers(0, 4),
            "router_bias": st.booleans(),
            "n_routed_experts": st.sampled_from([0, 4, 8, 16]),
        },
        rules=((r"mlp\.experts", "experts"), (r"mlps", "feed-forward")),
    ),
}
