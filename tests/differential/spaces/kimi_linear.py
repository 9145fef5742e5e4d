"""Kimi Linear and Ling 3."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space, Values
from differential.spaces.deepseek import MAYBE_NO_QUERY_LATENT, ffn_layer_types


def layer_types(draw: Draw, config: dict[str, Any]) -> list[str]:
    """One for each of the layers that have been drawn."""
    layers = config["num_hidden_layers"]
    kinds = st.sampled_from(["linear_attention", "full_attention"])
    return draw(st.lists(kinds, min_size=layers, max_size=layers))


def linear_attn_config(draw: Draw, config: dict[str, Any]) -> dict[str, Any]:
    """Sizes and layers as the released configuration nests them."""
    given: dict[str, Any] = {}
    if draw(st.booleans()):
        numbers = range(1, config["num_hidden_layers"] + 1)
        full = draw(st.sets(st.sampled_from(numbers)))
        given["full_attn_layers"] = sorted(full)
        given["kda_layers"] = sorted({*numbers} - full)
    if "linear_num_heads" not in config:
        given["num_heads"] = draw(st.integers(1, 3))
    if "linear_conv_kernel_dim" not in config:
        given["short_conv_kernel_size"] = draw(st.integers(2, 5))
    return given


USUAL: dict[str, Values] = {
    "mlp_layer_types": ffn_layer_types,
    "layer_types": layer_types,
    "pad_token_id": st.none(),
}

# both kinds of layers call their projections the same
DELTA = ((r"self_attn\.(conv1d|forget_gate|o_norm)", "attention"),)

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
        rules=DELTA,
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
        rules=DELTA,
        kinds={"ssm": "attention"},
    ),
}
