"""What is drawn for gpt-oss, Flint and MiMo-V2-Flash."""

from __future__ import annotations

from differential.draw import Space
from differential.spaces.deepseek import ffn_layer_types
from differential.spaces.qwen import NUM_EXPERTS, attention_layer_types

SPACES = {
    "gpt_oss": Space({"layer_types": attention_layer_types}),
    "flint": Space({"num_experts": NUM_EXPERTS, "layer_types": attention_layer_types}),
    "mimo_v2_flash": Space(
        {"layer_types": attention_layer_types, "mlp_layer_types": ffn_layer_types}
    ),
}
