"""RecurrentGemma and ModernBERT's decoder."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

SPACES = {
    "recurrent_gemma": Space(
        values={
            "lru_width": st.sampled_from([None, 16, 24, 50, 64]),
            "conv1d_width": st.integers(1, 5),
            "block_types": st.lists(
                st.sampled_from(["recurrent", "attention"]), min_size=1, max_size=5
            ),
            "intermediate_size": st.integers(2, 99),
            "attention_window_size": st.integers(2, 20),
        },
        rules=((r"temporal_block\.[qkvo]_proj", "attention"),),
    ),
    "modernbert-decoder": Space(
        values={
            "pad_token_id": st.just(0),
            "global_attn_every_n_layers": st.integers(1, 4),
            "local_attention": st.one_of(st.none(), st.integers(4, 40)),
        },
        always=("pad_token_id",),
        rules=((r"^decoder\.", "head"), (r"^lm_head\.dense", "head")),
        kinds={"embedding_norm": "norms"},
    ),
}
