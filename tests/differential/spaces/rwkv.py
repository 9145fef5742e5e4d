"""RWKV-4 and xLSTM."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

FACTORS = st.sampled_from([0.5, 1.0, 0.75, 1.3, 2.0])

SPACES = {
    "rwkv": Space(
        {"attention_hidden_size": st.sampled_from([24, 64, 72])},
        rules=(
            (r"pre_ln", "embedding norm"),
            (r"ln\d|ln_out", "norms"),
            (r"\.attention\.", "time"),
            (r"feed_forward", "channel"),
            (r"^head", "head"),
        ),
        kinds={
            "embedding_norm": "embedding norm",
            "rwkv_time_mix": "time",
            "rwkv_channel_mix": "channel",
        },
    ),
    "xlstm": Space(
        {
            "qk_dim_factor": FACTORS,
            "v_dim_factor": FACTORS,
            "ffn_proj_factor": st.sampled_from([1.0, 2.667, 3.3]),
            "ffn_round_up_to_multiple_of": st.sampled_from([1, 8, 64]),
            "weight_mode": st.sampled_from(["single", "fused"]),
        },
        rules=(
            (r"norm_mlstm|norm_ffn|out_norm", "norms"),
            (r"mlstm_layer", "mixer"),
            (r"\.ffn\.", "feed-forward"),
        ),
    ),
}
