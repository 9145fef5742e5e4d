"""MiniMax-Text-01, and MiniMax-M3 with its indexer."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import FFN_LAYER_TYPES, Draw, Space, layer_list, one_per_layer
from differential.spaces.deepseek import INDEXER

WIDTH = st.integers(1, 20).map(lambda n: 8 * n)


def sparse_attention(draw: Draw, config: dict[str, Any]) -> dict[str, Any]:
    """The section ``sparse_attention_config`` of released configurations."""
    section: dict[str, Any] = {"sparse_attention_freq": draw(layer_list(config, 0, 1))}
    if "index_n_heads" not in config:
        section["sparse_num_index_heads"] = draw(st.integers(1, 4))
    return section


SPACES = {
    "minimax_m3_vl_text": Space(
        {
            **INDEXER,
            "dense_intermediate_size": WIDTH,
            "intermediate_size": WIDTH,
            "layer_types": one_per_layer("full_attention", "minimax_m3_sparse"),
            "sparse_attention_config": sparse_attention,
            "mlp_layer_types": FFN_LAYER_TYPES,
            "moe_layer_freq": one_per_layer(0, 1),
        },
        rules=((r"indexer", "indexer"),),
    ),
    "minimax": Space(
        values={"layer_types": one_per_layer("linear_attention", "full_attention")},
        rules=((r"self_attn\.(qkv_proj|output_gate|out_proj|norm)", "mixer"),),
    ),
}
