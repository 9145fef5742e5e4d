"""GLM-5.3-Flash."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space, heads_of, one_per_layer
from differential.spaces.glm_moe import SPACES as GLM_SPACES
from differential.spaces.kimi_linear import RULES

GLM = GLM_SPACES["glm_moe_dsa"]

SPACES = {
    "glm5_next_text": Space(
        values={
            **GLM.values,
            "layer_types": one_per_layer(
                "linear_attention",
                "indexed_attention",
                "full_attention",
                "deepseek_sparse_attention",
            ),
            "num_key_value_heads": lambda draw, config: heads_of(config),
            "qk_rope_head_dim": st.just(0),
            "linear_num_heads": st.integers(1, 4),
            "linear_head_dim": st.sampled_from([8, 16]),
            "linear_conv_kernel_dim": st.integers(2, 5),
            "index_kpool": st.sampled_from([1, 2, 4, 16]),
            "hc_mult": st.integers(1, 5),
            "tie_word_embeddings": st.booleans(),
            "pad_token_id": st.none(),
        },
        always=("num_key_value_heads", "pad_token_id"),
        rules=(*GLM.rules, (r"_hc\.", "hyper_connections"), *RULES),
        kinds={"ssm": "attention"},
    ),
}
