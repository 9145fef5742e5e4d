"""Step-3.5-Flash, whose text model transformers has without an LM head."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space, one_per_layer
from differential.spaces.deepseek import FFN_LAYER_TYPES

SPACES = {
    "step3p5": Space(
        {
            # a tied head has no parameters, like none
            "tie_word_embeddings": st.just(True),
            "num_sliding_attention_heads": st.sampled_from([8, 16]),
            "layer_types": one_per_layer("full_attention", "sliding_attention"),
            "mlp_layer_types": FFN_LAYER_TYPES,
            "moe_layers_enum": st.sampled_from(["0,2", "1, 3,4", "2"]),
            "moe_num_experts": st.sampled_from([4, 8]),
            "moe_top_k": st.sampled_from([1, 3]),
            "share_expert_dim": st.sampled_from([24, 40]),
        },
        always=("tie_word_embeddings", "layer_types", "moe_num_experts", "sliding_window"),
        never=("num_local_experts", "n_routed_experts", "num_experts_per_tok", "per_layer_config"),
        auto="Step3p7TextModel",
        rules=((r"e_score_correction_bias", "router"),),
    ),
}
