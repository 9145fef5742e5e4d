"""Random choice of the layers of gpt-oss and Flint that have windows."""

from __future__ import annotations

from differential.draw import Space
from differential.spaces.qwen import NUM_EXPERTS, attention_layer_types

SPACES = {
    "gpt_oss": Space({"layer_types": attention_layer_types}),
    "flint": Space({"num_experts": NUM_EXPERTS, "layer_types": attention_layer_types}),
}
