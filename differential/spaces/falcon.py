"""What is drawn for BLOOM, MPT and Falcon."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

SPACES = {
    "mpt": Space(
        {
            "no_bias": st.booleans(),
            "expansion_ratio": st.integers(1, 4),
            "learned_pos_emb": st.booleans(),
            "attn_config": st.sampled_from([{"alibi": False}, {"qk_ln": True}]),
        }
    ),
    "falcon": Space(
        {
            "alibi": st.booleans(),
            "num_ln_in_parallel_attn": st.sampled_from([1, 2, None]),
        }
    ),
}
