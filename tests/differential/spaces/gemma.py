"""Gemma 3n and 4: layers that share keys and values, per-layer embeddings, experts."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import ATTENTION_LAYER_TYPES, Draw, Space, divisors

PER_LAYER = {
    "hidden_size_per_layer_input": st.sampled_from([8, 16]),
    "vocab_size_per_layer_input": st.integers(200, 300),
}


def shared_layers(draw: Draw, config: dict[str, Any]) -> int:
    """Number of layers that reuse the keys and values of an earlier layer; never all."""
    return draw(st.integers(0, max(0, config["num_hidden_layers"] - 1)))


def widths(draw: Draw, config: dict[str, Any]) -> int | list[int]:
    """One FFN width, or one for each layer."""
    layers = config["num_hidden_layers"]
    width = st.integers(1, 6).map(lambda n: 16 * n)
    return draw(st.one_of(width, st.lists(width, min_size=layers, max_size=layers)))


def global_kv_heads(draw: Draw, config: dict[str, Any]) -> int | None:
    """Key/value heads of full-attention layers; None if they have as many as the others."""
    return draw(st.sampled_from([None, *divisors(config["num_attention_heads"])]))


GEMMA4: dict[str, Any] = {
    "layer_types": ATTENTION_LAYER_TYPES,
    "num_kv_shared_layers": shared_layers,
    "global_head_dim": st.sampled_from([16, 32, 48]),
    "num_global_key_value_heads": global_kv_heads,
    "num_key_value_heads": lambda draw, config: draw(
        st.sampled_from(divisors(config["num_attention_heads"]))
    ),
}
EXPERTS = {
    "enable_moe_block": st.booleans(),
    "num_experts": st.sampled_from([4, 8]),
    "top_k_experts": st.sampled_from([1, 2, 4]),
    "moe_intermediate_size": st.sampled_from([8, 24]),
}
RULES = (
    (r"embed_tokens_per_layer|per_layer_model_projection|per_layer_projection_norm", "per-layer"),
)
SPACES = {
    "gemma3n_text": Space(
        values={
            "layer_types": ATTENTION_LAYER_TYPES,
            "num_kv_shared_layers": shared_layers,
            "intermediate_size": widths,
            "altup_num_inputs": st.integers(1, 5),
            "laurel_rank": st.sampled_from([4, 8, 12]),
            **PER_LAYER,
        },
        always=("num_kv_shared_layers", "layer_types"),
        rules=(
            *RULES,
            (r"altup_(unembed_)?projections", "streams"),
            (r"altup|laurel|per_layer_input_gate|per_layer_projection", "altup and laurel"),
        ),
        kinds={
            "per_layer_embedding": "per-layer",
            "altup_laurel": "altup and laurel",
            "embedding_projection": "streams",
        },
    ),
    "gemma4_text": Space(
        values={
            **GEMMA4,
            **PER_LAYER,
            **EXPERTS,
            "hidden_size_per_layer_input": st.sampled_from([0, 8, 16]),
        },
        always=("num_key_value_heads", "num_experts", "top_k_experts", "moe_intermediate_size"),
        rules=(
            *RULES,
            (r"per_layer_input_gate|per_layer_projection\.", "per-layer"),
            (r"post_feedforward_layernorm|pre_feedforward_layernorm", "norms"),
        ),
        kinds={"per_layer_embedding": "per-layer"},
    ),
    "gemma4_unified_text": Space(values=GEMMA4, always=("num_key_value_heads",)),
}
