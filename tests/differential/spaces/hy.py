"""Hy3 and Hy4: shared experts, and the indexers of Hy4."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from differential.draw import FFN_LAYER_TYPES, Draw, Space, layer_list
from differential.spaces.deepseek import INDEXER


def indexer_types(draw: Draw, config: dict[str, Any]) -> list[str]:
    """A kind of indexer for each layer; the first layer's cannot be shared."""
    return ["full", *draw(layer_list(config, "full", "shared"))[1:]]


HY_V4 = Space(
    {
        **INDEXER,
        "pad_token_id": st.just(0),
        "hc_mult": st.integers(1, 4),
        "mlp_layer_types": FFN_LAYER_TYPES,
        "indexer_types": indexer_types,
    },
    always=("pad_token_id",),
    rules=((r"indexer", "indexer"), (r"_hc\.|hc_head", "hyper_connections")),
)
SPACES = {
    "hy_v3": Space({"num_shared_experts": st.integers(0, 3), "mlp_layer_types": FFN_LAYER_TYPES}),
    "hy_v4": HY_V4,
    # rotary positions on three axes fit one width only
    "hy_v4_vl_text": replace(HY_V4, never=("qk_rope_head_dim",)),
}
