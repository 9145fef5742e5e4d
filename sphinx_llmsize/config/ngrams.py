"""Keys of embeddings of n-grams, which some layers add to their input (Qwen4-Exp)."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.key import Key, Kind, size_key

D_N = Symbol("d_n", "dimension of the n-gram embeddings of a token")
W_N = Symbol("W_n", "width of the convolution on n-gram embeddings")

NGRAM_LAYERS = Key(
    "ngram_layers",
    "numbers of the layers that add n-gram embeddings, from 1",
    ("ple_layer_ids",),
    Kind.COUNTS,
    optional=True,
)
NGRAM_DIM = size_key(D_N, "ngram_dim", "ple_embed_dim", optional=True)
NGRAM_CONV_WIDTH = size_key(W_N, "ngram_conv_width", "ple_conv_kernel_size")
NGRAM_SIZE = Key("ngram_size", "tokens of the longest n-gram")
NGRAM_HEADS = Key("heads_per_ngram", "tables for every length of n-gram")
NGRAM_VOCAB_SIZE = Key(
    "ngram_vocab_size", "lower bound of the tables' rows, primes", ("ngram_vocab_size_base",)
)
NGRAM_VOCAB_MULTIPLE = Key(
    "ngram_vocab_multiple",
    "a layer's tables together have a multiple of this many rows",
    ("make_ngram_vocab_size_divisible_by",),
)
