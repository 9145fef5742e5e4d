"""Reformer."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space


def attn_layers(draw: Draw, config: dict[str, Any]) -> list[str]:
    """A kind of attention for each layer or more, or up to three times the same kind."""
    kinds = st.sampled_from(["local", "lsh"])
    if draw(st.booleans()):
        return [draw(kinds)] * draw(st.integers(1, 3))
    layers = config["num_hidden_layers"]
    return draw(st.lists(kinds, min_size=layers, max_size=layers + 2))


def axial_pos_embds_dim(draw: Draw, config: dict[str, Any]) -> list[int]:
    """Widths of two or three axes, with the hidden dimension as their sum."""
    width, first = config["hidden_size"], draw(st.sampled_from([8, 12, 16]))
    return draw(st.sampled_from([[first, width - first], [4, first, width - first - 4]]))


SPACES = {
    "reformer": Space(
        {
            "is_decoder": st.just(True),
            "attn_layers": attn_layers,
            "attention_head_size": st.sampled_from([8, 16, 24]),
            "axial_pos_shape": st.sampled_from([[8, 8, 2], [16, 4, 3]]),
            "axial_pos_embds_dim": axial_pos_embds_dim,
            "num_buckets": st.just(4),
        },
        always=(
            "is_decoder",
            "attn_layers",
            "axial_pos_shape",
            "axial_pos_embds_dim",
            "num_buckets",
        ),
        rules=((r"position_embeddings", "positions"),),
        kinds={"position_embedding": "positions"},
    ),
}
