"""MPT: keys without effect on the model that transformers builds."""

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
}
