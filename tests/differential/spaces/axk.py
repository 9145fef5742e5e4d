"""A.X K1 and K2."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space, Values
from differential.spaces.deepseek import INDEXER, ffn_layer_types

SCHEDULE: dict[str, Values] = {
    "mlp_layer_types": ffn_layer_types,
    "first_k_dense_replace": st.integers(0, 5),
    "moe_layer_freq": st.integers(1, 4),
}

SPACES = {
    "axk1": Space(values=SCHEDULE),
    "axk2": Space(
        values={**SCHEDULE, **INDEXER, "gated_norm_rank": st.integers(1, 8)},
        rules=((r"indexer", "indexer"),),
    ),
}
