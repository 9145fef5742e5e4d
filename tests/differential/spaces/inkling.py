"""Inkling."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import FFN_LAYER_TYPES, Space, Values, one_per_layer

WIDTH = st.integers(1, 20).map(lambda n: 8 * n)
ATTENTION: dict[str, Values] = {
    "swa_num_attention_heads": st.sampled_from([2, 4, 8]),
    "swa_num_key_value_heads": st.sampled_from([1, 2]),
    "swa_head_dim": st.sampled_from([8, 16, 24]),
    "sliding_window_size": st.integers(1, 40),
    "d_rel": st.integers(1, 8),
    "rel_extent": st.integers(1, 64),
    "layer_types": one_per_layer("hybrid", "hybrid_sliding"),
}
SPACES = {
    "inkling_text": Space(
        {
            **ATTENTION,
            "local_layer_ids": st.lists(st.integers(0, 9), max_size=4, unique=True),
            "mlp_layer_types": FFN_LAYER_TYPES,
            "dense_mlp_idx": st.integers(0, 4),
            "dense_intermediate_size": WIDTH,
            "n_shared_experts": st.integers(1, 3),
            "unpadded_vocab_size": st.integers(200, 300),
        },
        rules=((r"gate\.global_scale", "router"),),
    ),
    "inkling2_text": Space(
        {
            **ATTENTION,
            "moe_intermediate_size": WIDTH,
            "unpadded_vocab_size": st.integers(200, 300),
        },
        rules=((r"l2_clip", "norms"), (r"(attention|mlp|final)_input\.", "block_residuals")),
    ),
}
