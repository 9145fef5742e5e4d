"""dots.llm1 and dots3-note."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import FFN_LAYER_TYPES, Draw, Space, Values, one_per_layer
from differential.spaces.deepseek import INDEXER

SLIDING: dict[str, Values] = {
    "swa_num_attention_heads": st.sampled_from([1, 2, 4]),
    "swa_q_lora_rank": st.sampled_from([8, 12]),
    "swa_kv_lora_rank": st.sampled_from([8, 16]),
    "swa_head_dim": st.just(24),
    "swa_qk_nope_head_dim": st.sampled_from([8, 16]),
    "swa_v_head_dim": st.sampled_from([8, 12]),
}


def expert_layers(draw: Draw, config: dict[str, Any]) -> int | list[int]:
    """An interval between layers with experts, or 0 or 1 for each layer."""
    layers = config["num_hidden_layers"]
    flags = st.lists(st.integers(0, 1), min_size=layers, max_size=layers)
    return draw(st.integers(1, 3) | flags)


SPACES = {
    "dots1": Space(
        values={"head_dim": st.sampled_from([8, 16, 24]), "n_shared_experts": st.integers(1, 3)},
        always=("n_routed_experts", "n_shared_experts"),
    ),
    "dots3_note_text": Space(
        values={
            **INDEXER,
            **SLIDING,
            "index_head_dim": st.sampled_from([8, 16]),
            "num_key_value_heads": lambda draw, config: config["num_attention_heads"],
            "swa_num_key_value_heads": lambda draw, config: config.get(
                "swa_num_attention_heads", 64
            ),
            "mlp_layer_types": FFN_LAYER_TYPES,
            "layer_types": one_per_layer(
                "sliding_attention", "full_attention", "indexed_attention"
            ),
            "first_k_dense_replace": st.integers(0, 4),
            "moe_layer_freq": expert_layers,
            "use_dsa": st.booleans(),
            "use_sliding_window": st.booleans(),
            "pad_token_id": st.none(),
            "moe_shared_expert_intermediate_size": st.sampled_from([8, 40]),
        },
        always=(
            "num_key_value_heads",
            "swa_num_key_value_heads",
            "swa_head_dim",
            "swa_qk_nope_head_dim",
            "qk_rope_head_dim",
            "n_routed_experts",
            "pad_token_id",
        ),
        never=("head_dim",),
        rules=((r"indexer", "indexer"),),
    ),
}
