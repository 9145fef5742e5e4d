"""BitNet, DiffLlama with an even number of key/value heads, and Doge with experts."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import USUAL, Draw, Space, divisors
from sphinx_llmsize.config.keys.common import HEAD_DIM

HEAD_DIMS = USUAL[HEAD_DIM]


def even_divisor(draw: Draw, config: dict[str, Any]) -> int:
    """Even number of key/value heads: differential attention has two sets of keys."""
    return int(draw(st.sampled_from([2 * n for n in divisors(config["num_attention_heads"] // 2)])))


SPACES = {
    "bitnet": Space(values={"head_dim": HEAD_DIMS}),
    "diffllama": Space(
        values={
            "num_attention_heads": st.sampled_from([2, 4, 8]),
            "num_key_value_heads": even_divisor,
        },
        always=("num_attention_heads",),
    ),
    "doge": Space(
        values={
            "head_dim": HEAD_DIMS,
            "is_moe": st.booleans(),
            "num_experts": st.sampled_from([4, 16, 20, 35, 64]),
            "num_experts_per_tok": st.integers(1, 4),
        },
        always=("num_experts",),
        rules=(
            (r"_residual$", "residual"),
            (r"mlp\.(up|down)_embed", "experts"),
        ),
        kinds={"residual_scale": "residual"},
    ),
}
