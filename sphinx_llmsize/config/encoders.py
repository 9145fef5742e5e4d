"""Keys of encoders: what is embedded besides tokens and positions, and how wide."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.key import Kind, size_key

D_E = Symbol("D_e", "embedding dimension")
V_T = Symbol("V_t", "token types")

EMBEDDING_DIM = size_key(
    D_E,
    "embedding_dim",
    "embedding_size",
    "input_embedding_size",
    "word_embed_proj_dim",
    optional=True,
)
NUM_TOKEN_TYPES = size_key(V_T, "num_token_types", "type_vocab_size", kind=Kind.WHOLE)
