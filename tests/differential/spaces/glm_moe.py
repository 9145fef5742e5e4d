"""GLM 4.5 to 5."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import FFN_LAYER_TYPES, Draw, Space, layer_list
from differential.spaces.deepseek import INDEXER, MAYBE_NO_QUERY_LATENT


def indexer_types(draw: Draw, config: dict[str, Any]) -> list[str] | None:
    """A kind of indexer for each layer, or None."""
    return draw(st.none() | layer_list(config, "full", "shared"))


def index_pattern(draw: Draw, config: dict[str, Any]) -> str | None:
    """The kinds of indexers as letters, full or shared, or None."""
    layers = config["num_hidden_layers"]
    return draw(st.none() | st.text("FS", min_size=layers, max_size=layers))


SPACES = {
    "glm4_moe": Space(values={"head_dim": st.sampled_from([8, 16, 24])}),
    "glm4_moe_lite": Space(
        values={"q_lora_rank": MAYBE_NO_QUERY_LATENT, "mlp_layer_types": FFN_LAYER_TYPES}
    ),
    "glm_moe_dsa": Space(
        values={
            **INDEXER,
            "mlp_layer_types": FFN_LAYER_TYPES,
            "indexer_types": indexer_types,
            "index_topk_pattern": index_pattern,
            "index_topk_freq": st.integers(0, 4),
            "index_skip_topk_offset": st.integers(0, 5),
        },
        rules=((r"indexer", "indexer"),),
    ),
}
