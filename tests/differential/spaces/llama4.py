"""Llama 4 and Llama 3.2 Vision: layers with experts, layers with cross-attention."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space, one_per_layer

WIDTH = st.integers(1, 20).map(lambda n: 8 * n)
LAYER_NUMBERS = st.lists(st.integers(0, 9), max_size=5, unique=True)

SPACES = {
    "llama4_text": Space(
        values={
            "intermediate_size_mlp": WIDTH,
            "moe_layers": LAYER_NUMBERS,
            "layer_types": one_per_layer("chunked_attention", "full_attention"),
        },
    ),
    "mllama_text_model": Space(
        values={
            "cross_attention_layers": LAYER_NUMBERS,
            "tie_word_embeddings": st.booleans(),
            "pad_token_id": st.just(0),
        },
        auto="MllamaForCausalLM",
        always=("pad_token_id",),
        rules=((r"cross_attn_(attn|mlp)_gate", "gates"),),
        kinds={"residual_gate": "gates"},
    ),
}
