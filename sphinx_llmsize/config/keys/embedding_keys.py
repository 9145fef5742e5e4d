"""Keys of embeddings: token types, positions, per-layer inputs, prompts and n-grams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config import symbols as s
from sphinx_llmsize.config.key import ValueKind, make_key, size_key
from sphinx_llmsize.config.keys.common import HIDDEN_DIM, NUM_LAYERS
from sphinx_llmsize.config.rule import Rule, Settings, int_or_none, ints_of
from sphinx_llmsize.translation import N_

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed_config import ParsedConfig

MAX_TABLES = 4096
"""Maximum number of n-gram tables, since each needs a search for a prime; Qwen4-Exp has dozens."""

EMBEDDING_DIM = size_key(
    s.D_E, "embedding_dim embedding_size input_embedding_size word_embed_proj_dim", optional=True
)
OUTPUT_VOCAB_SIZE = size_key(s.V_O, "output_vocab_size", optional=True)
NUM_TOKEN_TYPES = size_key(s.V_T, "num_token_types type_vocab_size", kind=ValueKind.WHOLE)
PER_LAYER_VOCAB_SIZE = size_key(s.V_P, "per_layer_vocab_size vocab_size_per_layer_input")
PER_LAYER_DIM = size_key(s.D_P, "per_layer_dim hidden_size_per_layer_input", kind=ValueKind.WHOLE)
NUM_BUCKETS = size_key(
    s.B, "num_position_buckets relative_attention_num_buckets position_bias_num_buckets num_buckets"
)
POSITION_KIND = make_key(
    "position_kind position_embedding_type",
    N_("kind of positions, such as absolute ones with a table, or rotary ones"),
    ValueKind.NAME,
)
PROMPT_LENGTH = size_key(s.P_PROMPT, "prompt_length")

# N-gram embeddings, added to the input of some layers (Qwen4-Exp)
NGRAM_LAYERS = make_key(
    "ngram_layers ple_layer_ids",
    N_("numbers of the layers that add n-gram embeddings, from 1"),
    ValueKind.LAYERS,
    optional=True,
)
NGRAM_DIM = size_key(s.D_N, "ngram_dim ple_embed_dim", optional=True)
NGRAM_CONV_WIDTH = size_key(s.W_N, "ngram_conv_width ple_conv_kernel_size")
NGRAM_SIZE = make_key("ngram_size", N_("tokens of the longest n-gram"))
NGRAM_HEADS = make_key("heads_per_ngram", N_("tables for every length of n-gram"))
NGRAM_VOCAB_SIZE = make_key(
    "ngram_vocab_size ngram_vocab_size_base",
    N_("lower bound of a table's number of rows, which is a prime"),
)
NGRAM_VOCAB_MULTIPLE = make_key(
    "ngram_vocab_multiple make_ngram_vocab_size_divisible_by",
    N_("a layer's tables together have a multiple of this many rows"),
)


def _check_ngrams(settings: Settings, parsed: ParsedConfig) -> None:
    """Check the n-gram layers' numbers, and the number of tables in each layer and in all."""
    ngram_layers = ints_of(settings, NGRAM_LAYERS)
    layers = int_or_none(settings, NUM_LAYERS) or 0
    size = int_or_none(settings, NGRAM_SIZE) or 0
    heads = int_or_none(settings, NGRAM_HEADS) or 0
    width = int_or_none(settings, NGRAM_DIM) or int_or_none(settings, HIDDEN_DIM) or 0
    tables = (size - 1) * heads  # in each of these layers, for n-grams of 2 to size tokens
    total = tables * len(ngram_layers)
    keys = (NGRAM_LAYERS, NGRAM_SIZE, NGRAM_HEADS)
    if not all(1 <= layer <= layers for layer in ngram_layers):
        message = N_("{key} must be numbers from 1 to {layers}")
        raise parsed.error(message, *keys, layers=layers)
    if ngram_layers and (tables < 1 or width % tables):
        message = N_("{tables} n-gram tables do not divide {width} dimensions")
        raise parsed.error(message, *keys, tables=tables, width=width)
    if total > MAX_TABLES:
        message = N_("{tables} n-gram tables are more than {number}")
        raise parsed.error(message, *keys, tables=total, number=MAX_TABLES)


NGRAM_TABLES_RULE = Rule(check=_check_ngrams)
"""All n-gram layers exist, and the tables of a layer divide the n-gram embeddings' dimension."""
