"""Keys of embeddings: how wide they are, and what is embedded besides tokens and positions."""

from __future__ import annotations

from sphinx_llmsize.config.key import Kind, size_key
from sphinx_llmsize.config.symbols import D_E, D_P, P_PROMPT, V_P, V_T, B

EMBEDDING_DIM = size_key(
    D_E,
    "embedding_dim",
    "embedding_size",
    "input_embedding_size",
    "word_embed_proj_dim",
    optional=True,
)
NUM_TOKEN_TYPES = size_key(V_T, "num_token_types", "type_vocab_size", kind=Kind.WHOLE)
PER_LAYER_VOCAB_SIZE = size_key(V_P, "per_layer_vocab_size", "vocab_size_per_layer_input")
PER_LAYER_DIM = size_key(D_P, "per_layer_dim", "hidden_size_per_layer_input", kind=Kind.WHOLE)
NUM_BUCKETS = size_key(
    B,
    "num_position_buckets",
    "relative_attention_num_buckets",
    "position_bias_num_buckets",
    "num_buckets",
)
PROMPT_LENGTH = size_key(P_PROMPT, "prompt_length")
