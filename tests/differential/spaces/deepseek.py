"""DeepSeek, and what other models with latent attention draw as well."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space, Values

MAYBE_NO_QUERY_LATENT = st.sampled_from([None, 8, 12, 24])
INDEXER: dict[str, Values] = {
    "index_n_heads": st.integers(1, 4),
    "index_head_dim": st.sampled_from([8, 16]),
}


def ffn_layer_types(draw: Draw, config: dict[str, Any]) -> list[str]:
    """One for each of the layers that have been drawn."""
    layers = config["num_hidden_layers"]
    kinds = st.sampled_from(["dense", "sparse"])
    return draw(st.lists(kinds, min_size=layers, max_size=layers))


SPACES = {
    "deepseek_v2": Space(
        values={"q_lora_rank": MAYBE_NO_QUERY_LATENT, "n_shared_experts": st.integers(0, 3)}
    ),
    "deepseek_v3": Space(values={"q_lora_rank": MAYBE_NO_QUERY_LATENT}),
    "deepseek_v32": Space(
        values={**INDEXER, "mlp_layer_types": ffn_layer_types}, rules=((r"indexer", "indexer"),)
    ),
}
