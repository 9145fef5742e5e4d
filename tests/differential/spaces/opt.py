"""OPT."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

SPACES = {
    "opt": Space(
        {"word_embed_proj_dim": st.sampled_from([16, 32, 64])},
        rules=(
            (r"project_out", "head"),
            (r"project_in", "embedding projection"),
            (r"self_attn\.", "attention"),
        ),
        kinds={"embedding_projection": "embedding projection", "head_projection": "head"},
    ),
}
