"""JetMoE."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

SPACES = {
    "jetmoe": Space(
        {
            "num_key_value_heads": st.integers(1, 5),
            "kv_channels": st.sampled_from([8, 16, 24]),
        },
        never=("num_attention_heads",),
        rules=(
            (r"router", "router"),
            (r"self_attention", "attention"),
            (r"mlp", "experts"),
        ),
    ),
}
