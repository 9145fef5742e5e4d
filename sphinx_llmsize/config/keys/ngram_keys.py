"""Keys of embeddings of n-grams, which some layers add to their input (Qwen4-Exp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.key import Key, Kind, size_key
from sphinx_llmsize.config.keys.common import HIDDEN_DIM, NUM_LAYERS
from sphinx_llmsize.config.rule import Rule, Settings, whole
from sphinx_llmsize.config.symbols import D_N, W_N
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import N_, _

if TYPE_CHECKING:
    from sphinx_llmsize.config.parsed import ParsedConfig


NGRAM_LAYERS = Key(
    "ngram_layers",
    N_("numbers of the layers that add n-gram embeddings, from 1"),
    ("ple_layer_ids",),
    Kind.LAYERS,
    optional=True,
)
NGRAM_DIM = size_key(D_N, "ngram_dim", "ple_embed_dim", optional=True)
NGRAM_CONV_WIDTH = size_key(W_N, "ngram_conv_width", "ple_conv_kernel_size")
NGRAM_SIZE = Key("ngram_size", N_("tokens of the longest n-gram"))
NGRAM_HEADS = Key("heads_per_ngram", N_("tables for every length of n-gram"))
NGRAM_VOCAB_SIZE = Key(
    "ngram_vocab_size", N_("lower bound of the tables' rows, primes"), ("ngram_vocab_size_base",)
)
NGRAM_VOCAB_MULTIPLE = Key(
    "ngram_vocab_multiple",
    N_("a layer's tables together have a multiple of this many rows"),
    ("make_ngram_vocab_size_divisible_by",),
)


MAX_TABLES = 4096
"""Of n-grams; Qwen4-Exp has a few dozen, and the rows of each must be searched for."""


def _check_ngrams(settings: Settings, parsed: ParsedConfig) -> None:
    numbers, layers = settings[NGRAM_LAYERS] or (), whole(settings, NUM_LAYERS) or 0
    size, heads = whole(settings, NGRAM_SIZE) or 0, whole(settings, NGRAM_HEADS) or 0
    width = whole(settings, NGRAM_DIM) or whole(settings, HIDDEN_DIM) or 0
    chosen = numbers if isinstance(numbers, tuple) else (numbers,)
    tables = (size - 1) * heads
    problem = ""
    if any(not isinstance(n, int) or not 1 <= n <= layers for n in chosen):
        problem = _(
            "{key} must be numbers from 1 to {layers}",
            key=parsed.name(NGRAM_LAYERS),
            layers=layers,
        )
    elif chosen and (tables < 1 or width % tables):
        problem = _(
            "{tables} n-gram tables do not divide {width} dimensions",
            tables=tables,
            width=width,
        )
    elif chosen and tables * len(chosen) > MAX_TABLES:
        problem = _(
            "{tables} n-gram tables are more than {number}",
            tables=f"{tables * len(chosen):,}",
            number=MAX_TABLES,
        )
    if problem:
        line = parsed.line(NGRAM_LAYERS, NGRAM_SIZE, NGRAM_HEADS)
        raise ConfigError(problem, Problem.SHAPE, line=line)


NGRAM_TABLES = Rule(check=_check_ngrams)
"""The tables of n-grams stand in layers that exist, and share their width."""
