"""A.X K1 and K2."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import FFN_LAYER_TYPES, Space, Values
from differential.spaces.deepseek import INDEXER

DENSE_OR_EXPERTS: dict[str, Values] = {
    "mlp_layer_types": FFN_LAYER_TYPES,
    "first_k_dense_replace": st.integers(0, 5),
    "moe_layer_freq": st.integers(1, 4),
}

SPACES = {
    "axk1": Space(values=DENSE_OR_EXPERTS),
    "axk2": Space(
        values={**DENSE_OR_EXPERTS, **INDEXER, "gated_norm_rank": st.integers(1, 8)},
        rules=((r"indexer", "indexer"),),
    ),
}
