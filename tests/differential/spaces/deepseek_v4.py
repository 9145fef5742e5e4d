"""DeepSeek-V4."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space, one_per_layer
from differential.spaces.deepseek import INDEXER

KINDS = ["sliding_attention", "compressed_sparse_attention", "heavily_compressed_attention"]


def compress_ratios(draw: Draw, config: dict[str, Any]) -> list[int] | None:
    """Compression ratio of each layer instead of its type, sometimes with one too many."""
    if "layer_types" in config:
        return None
    layers = config["num_hidden_layers"] + draw(st.integers(0, 1))
    return draw(st.lists(st.sampled_from([0, 4, 128]), min_size=layers, max_size=layers))


SPACES = {
    "deepseek_v4": Space(
        values={
            **INDEXER,
            "layer_types": one_per_layer(*KINDS),
            "compress_ratios": compress_ratios,
            "compress_rates": st.fixed_dictionaries(
                {KINDS[1]: st.integers(1, 6), KINDS[2]: st.integers(7, 12)}
            ),
            "hc_mult": st.integers(1, 5),
            "o_groups": st.sampled_from([1, 2, 4]),
            "o_lora_rank": st.sampled_from([8, 12, 24]),
            "num_hash_layers": st.integers(0, 4),
            "n_shared_experts": st.integers(1, 2),
            "attention_bias": st.booleans(),
        },
        rules=(
            (r"compressor", "indexer"),
            (r"_hc\.|hc_head", "hyper_connections"),
        ),
    ),
}
