"""Kimi Linear and Ling 3."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import FFN_LAYER_TYPES, Draw, Space, Values, one_per_layer
from differential.spaces.deepseek import MAYBE_NO_QUERY_LATENT


def linear_attn_config(draw: Draw, config: dict[str, Any]) -> dict[str, Any]:
    """Section with sizes and layer numbers, as in the released configuration."""
    section: dict[str, Any] = {}
    if draw(st.booleans()):
        numbers = range(1, config["num_hidden_layers"] + 1)
        full = draw(st.sets(st.sampled_from(numbers)))
        section["full_attn_layers"] = sorted(full)
        section["kda_layers"] = sorted({*numbers} - full)
    if "linear_num_heads" not in config:
        section["num_heads"] = draw(st.integers(1, 3))
    if "linear_conv_kernel_dim" not in config:
        section["short_conv_kernel_size"] = draw(st.integers(2, 5))
    return section


USUAL: dict[str, Values] = {
    "mlp_layer_types": FFN_LAYER_TYPES,
    "layer_types": one_per_layer("linear_attention", "full_attention"),
    "pad_token_id": st.none(),
}

# linear and full attention have the same names of projections: counted together
RULES = ((r"self_attn\.(conv1d|forget_gate|o_norm)", "attention"),)

SPACES = {
    "kimi_linear": Space(
        values={
            **USUAL,
            "q_lora_rank": MAYBE_NO_QUERY_LATENT,
            "linear_num_heads": st.integers(1, 4),
            "linear_head_dim": st.sampled_from([8, 16]),
            "linear_attn_config": linear_attn_config,
            "first_k_dense_replace": st.integers(0, 4),
        },
        always=("pad_token_id",),
        rules=RULES,
        kinds={"ssm": "attention"},
    ),
    "bailing_hybrid": Space(
        values={
            **USUAL,
            "head_dim": st.sampled_from([8, 16]),
            "short_conv_kernel_size": st.integers(2, 5),
            "layer_group_size": st.integers(1, 5),
        },
        always=("pad_token_id",),
        rules=RULES,
        kinds={"ssm": "attention"},
    ),
}
