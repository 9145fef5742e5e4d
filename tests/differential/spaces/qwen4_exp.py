"""Qwen4-Exp."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space, one_per_layer


def ngram_layers(draw: Draw, config: dict[str, Any]) -> list[int]:
    """Numbers of up to three layers with linear attention; the first layer is 1."""
    layers = config["num_hidden_layers"]
    usual = ["linear_attention" if (i + 1) % 4 else "full_attention" for i in range(layers)]
    kinds = config.get("layer_types", usual)
    linear = [i + 1 for i, kind in enumerate(kinds) if kind == "linear_attention"]
    return draw(st.lists(st.sampled_from(linear), max_size=3)) if linear else []


SPACES = {
    "qwen4_exp_text": Space(
        values={
            "layer_types": one_per_layer("linear_attention", "linear_attention", "full_attention"),
            "indexer_n_heads": st.integers(1, 4),
            "indexer_head_dim": st.sampled_from([32, 40]),
            "indexer_kv_heads": st.just(1),
            "indexer_budget": st.just(64),
            "indexer_compress_ratio": st.just(16),
            "head_dim": st.sampled_from([8, 16, 32]),
            "linear_num_key_heads": st.sampled_from([1, 2]),
            "linear_num_value_heads": st.sampled_from([2, 4]),
            "linear_key_head_dim": st.sampled_from([8, 16]),
            "linear_value_head_dim": st.sampled_from([8, 16]),
            "hc_count": st.integers(2, 4),
            "hc_lowrank": st.integers(1, 9),
            "ple_layer_ids": ngram_layers,
            "ple_embed_dim": st.sampled_from([24, 48]),
            "ple_conv_kernel_size": st.integers(2, 5),
            "ngram_size": st.sampled_from([2, 3, 4]),
            "heads_per_ngram": st.sampled_from([1, 2, 4]),
            "ngram_vocab_size_base": st.integers(1, 2000),
            "make_ngram_vocab_size_divisible_by": st.sampled_from([1, 10, 128]),
            "eos_token_id": st.just(2),
        },
        always=(
            "indexer_n_heads",
            "indexer_head_dim",
            "indexer_kv_heads",
            "indexer_budget",
            "indexer_compress_ratio",
            "head_dim",
            "eos_token_id",
            "heads_per_ngram",
            "ple_embed_dim",
        ),
        rules=(
            (r"hyper_connection", "hyper_connections"),
            (r"indexer", "indexer"),
            (r"\.ple\.", "per_layer_embedding"),
            (r"linear_attn", "mixer"),
        ),
    ),
}
