"""BLOOM and MPT: keys without effect on sizes."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

SPACES = {
    "bloom": Space({"apply_residual_connection_post_layernorm": st.booleans()}),
    "mpt": Space(
        {
            "learned_pos_emb": st.booleans(),
            "attn_config": st.sampled_from([{"alibi_bias_max": 4}, {"clip_qkv": 6.0}]),
        }
    ),
}
