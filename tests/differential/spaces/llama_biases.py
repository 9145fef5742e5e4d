"""InternLM3, SmolLM3 and Emu3."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import USUAL, Space
from sphinx_llmsize.config.keys.common import HEAD_DIM

HEAD_DIMS = USUAL[HEAD_DIM]

SPACES = {
    # transformers builds InternLM3 with both biases or with none
    "internlm3": Space(
        values={
            "attention_bias": st.booleans(),
            "mlp_bias": lambda draw, config: config["attention_bias"],
        },
        always=("attention_bias", "mlp_bias"),
    ),
    "smollm3": Space(
        values={"head_dim": HEAD_DIMS, "pad_token_id": st.just(0)}, always=("pad_token_id",)
    ),
    "emu3_text_model": Space(
        values={
            "head_dim": HEAD_DIMS,
            "attention_bias": st.booleans(),
            "mlp_bias": st.booleans(),
            "pad_token_id": st.just(0),
        },
        always=("pad_token_id",),
        auto="Emu3ForCausalLM",
    ),
}
