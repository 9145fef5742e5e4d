"""CTRL, XLM and XLNet."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

WIDTHS = st.sampled_from([32, 64, 96])

SPACES = {
    "ctrl": Space(rules=((r"\.w\.", "embedding"),)),
    "xlm": Space(
        {"emb_dim": WIDTHS, "n_langs": st.integers(1, 4)},
        always=("emb_dim",),
        rules=((r"lang_embeddings", "language"), (r"pred_layer", "head")),
        kinds={"language_embedding": "language"},
    ),
    "xlnet": Space(
        {"d_inner": st.sampled_from([40, 64, 128])},
        never=("d_head",),
        rules=(
            (r"mask_emb", "mask"),
            (r"rel_attn\.(seg|r_)", "relative"),
            (r"\.ff\.layer_\d", "feed-forward"),
            (r"lm_loss", "head"),
        ),
        kinds={
            "mask_embedding": "mask",
            "attn_position_bias": "relative",
            "attn_segment": "relative",
        },
    ),
}
