"""gpt-oss and Flint: some layers with full attention, some with sliding windows."""

from __future__ import annotations

from differential.draw import ATTENTION_LAYER_TYPES, Space
from differential.spaces.qwen import NUM_EXPERTS

SPACES = {
    "gpt_oss": Space({"layer_types": ATTENTION_LAYER_TYPES}),
    "flint": Space({"num_experts": NUM_EXPERTS, "layer_types": ATTENTION_LAYER_TYPES}),
}
