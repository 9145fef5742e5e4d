"""CPM-Ant: prompts, segments and position buckets."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

SPACES = {
    "cpmant": Space(
        values={
            "prompt_types": st.integers(1, 8),
            "prompt_length": st.integers(1, 8),
            "segment_types": st.integers(1, 8),
            "position_bias_num_buckets": st.integers(1, 64),
        },
        kinds={"prompt_embedding": "embedding", "segment_embedding": "embedding"},
    )
}
