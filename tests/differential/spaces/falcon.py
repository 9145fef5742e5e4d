"""Falcon: its norms, and positions with or without ALiBi."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

SPACES = {
    "falcon": Space(
        {
            "alibi": st.booleans(),
            "num_ln_in_parallel_attn": st.sampled_from([1, 2, None]),
        }
    ),
}
