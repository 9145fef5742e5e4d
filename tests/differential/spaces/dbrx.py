"""DBRX's nested sections."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space, divisors, heads_of


def attention(draw: Draw, config: dict[str, Any]) -> dict[str, Any]:
    """The ``attn_config`` section."""
    heads = st.sampled_from(divisors(heads_of(config)))
    theta = {"rope_theta": st.just(10_000.0)}
    return draw(st.fixed_dictionaries(theta, optional={"kv_n_heads": heads}))


FEED_FORWARD = st.fixed_dictionaries(
    {},
    optional={
        "ffn_hidden_size": st.integers(1, 20).map(lambda n: 8 * n),
        "moe_num_experts": st.sampled_from([1, 4, 8]),
        "moe_top_k": st.integers(1, 4),
    },
)
SPACES = {
    "dbrx": Space(
        {
            "attn_config": attention,
            "ffn_config": FEED_FORWARD,
            # marks a saved configuration, in which unknown keys such as rope_theta are ignored
            "transformers_version": st.just("5.24.0"),
        },
        always=("attn_config", "transformers_version"),
        never=("tie_word_embeddings", "num_key_value_heads"),
        rules=((r"Wqkv|attn\.out_proj", "attention"),),
    ),
}
