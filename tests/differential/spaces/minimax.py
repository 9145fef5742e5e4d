"""Layers of MiniMax-Text-01 and MiniMax-M3, and the indexer of the latter."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space
from differential.spaces.deepseek import INDEXER, ffn_layer_types
from differential.spaces.hybrids import layer_list

WIDTH = st.integers(1, 20).map(lambda n: 8 * n)


def flags(draw: Draw, config: dict[str, Any]) -> list[int]:
    """0 or 1 for each of the layers that have been drawn."""
    layers = config["num_hidden_layers"]
    return list(draw(st.lists(st.integers(0, 1), min_size=layers, max_size=layers)))


def layer_types(draw: Draw, config: dict[str, Any]) -> list[str]:
    """A kind of attention for each of them."""
    kinds = ("full_attention", "minimax_m3_sparse")
    return [kinds[flag] for flag in flags(draw, config)]


def sparse_attention(draw: Draw, config: dict[str, Any]) -> dict[str, Any]:
    """The section that released configurations have."""
    section: dict[str, Any] = {"sparse_attention_freq": flags(draw, config)}
    if "index_n_heads" not in config:
        section["sparse_num_index_heads"] = draw(st.integers(1, 4))
    return section


SPACES = {
    "minimax_m3_vl_text": Space(
        {
            **INDEXER,
            "dense_intermediate_size": WIDTH,
            "intermediate_size": WIDTH,
            "layer_types": layer_types,
            "sparse_attention_config": sparse_attention,
            "mlp_layer_types": ffn_layer_types,
            "moe_layer_freq": flags,
        },
        rules=((r"indexer", "indexer"),),
    ),
    "minimax": Space(
        values={"layer_types": layer_list("linear_attention", "full_attention")},
        rules=((r"self_attn\.(qkv_proj|output_gate|out_proj|norm)", "mixer"),),
    ),
}
