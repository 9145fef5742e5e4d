"""BLT: four transformers, each with a section of its own."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space

SECTION = {
    "hidden_size": st.sampled_from([16, 32, 48]),
    "num_hidden_layers": st.integers(1, 3),
    "num_attention_heads": st.sampled_from([1, 2, 4]),
    "intermediate_size": st.sampled_from([8, 24, 40]),
    "vocab_size": st.integers(260, 290),
}
CROSS = {
    "cross_attn_k": st.integers(1, 3),
    "cross_attn_all_layers": st.booleans(),
    "hidden_size_global": st.sampled_from([16, 32]),
}


def section(**more: Any) -> Any:
    """Function that draws one transformer's section; key/value heads divide the heads."""

    def values(draw: Draw, config: dict[str, Any]) -> dict[str, Any]:
        drawn = {name: draw(strategy) for name, strategy in {**SECTION, **more}.items()}
        if draw(st.booleans()):
            drawn["num_key_value_heads"] = drawn["num_attention_heads"] // draw(
                st.sampled_from([1, min(2, drawn["num_attention_heads"])])
            )
        if draw(st.booleans()):
            del drawn["intermediate_size"]
        return drawn

    return values


SPACES = {
    "blt": Space(
        values={
            "encoder_config": section(**CROSS),
            "decoder_config": section(**CROSS),
            "global_config": section(head_dim=st.sampled_from([4, 8])),
            "patcher_config": section(),
            "cross_attn_k": st.integers(1, 3),
            "encoder_hash_byte_group_size": st.lists(st.integers(3, 8), min_size=1, max_size=3),
            "encoder_hash_byte_group_vocab": st.integers(10, 20),
            "encoder_hash_byte_group_nb_functions": st.integers(1, 2),
        },
        rules=(
            (r"hash_tok_embedding", "hash_embedding"),
            (r"(patch|token)_embedding_projection", "patch_projection"),
            (r"lm_head", "head"),
        ),
    )
}
