"""DeepSeek, and values that other models with latent attention share."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import FFN_LAYER_TYPES, Space, Values

MAYBE_NO_QUERY_LATENT = st.sampled_from([None, 8, 12, 24])
INDEXER: dict[str, Values] = {
    "index_n_heads": st.integers(1, 4),
    "index_head_dim": st.sampled_from([8, 16]),
}


SPACES = {
    "deepseek_v2": Space(
        values={"q_lora_rank": MAYBE_NO_QUERY_LATENT, "n_shared_experts": st.integers(0, 3)}
    ),
    "deepseek_v3": Space(values={"q_lora_rank": MAYBE_NO_QUERY_LATENT}),
    "deepseek_v32": Space(
        values={**INDEXER, "mlp_layer_types": FFN_LAYER_TYPES}, rules=((r"indexer", "indexer"),)
    ),
}
