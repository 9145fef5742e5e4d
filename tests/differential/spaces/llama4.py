"""Llama 4 and Llama 3.2 Vision: which layers have experts, which have cross-attention."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space
from differential.spaces.hybrids import layer_list

WIDTH = st.integers(1, 20).map(lambda n: 8 * n)
LAYERS = st.lists(st.integers(0, 9), max_size=5, unique=True)

SPACES = {
    "llama4_text": Space(
        values={
            "intermediate_size_mlp": WIDTH,
            "moe_layers": LAYERS,
            "layer_types": layer_list("chunked_attention", "full_attention"),
        },
    ),
    "mllama_text_model": Space(
        values={
            "cross_attention_layers": LAYERS,
            "tie_word_embeddings": st.booleans(),
            "pad_token_id": st.just(0),
        },
        auto="MllamaForCausalLM",
        always=("pad_token_id",),
        rules=((r"cross_attn_(attn|mlp)_gate", "gates"),),
        kinds={"residual_gate": "gates"},
    ),
}
