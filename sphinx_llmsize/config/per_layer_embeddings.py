"""Keys of per-layer embeddings (Gemma 3n)."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.key import Kind, size_key

V_P = Symbol("V_p", "vocabulary size of the per-layer embeddings")
D_P = Symbol("d_p", "dimension of the per-layer embeddings")

PER_LAYER_VOCAB_SIZE = size_key(V_P, "per_layer_vocab_size", "vocab_size_per_layer_input")
PER_LAYER_DIM = size_key(D_P, "per_layer_dim", "hidden_size_per_layer_input", kind=Kind.WHOLE)
