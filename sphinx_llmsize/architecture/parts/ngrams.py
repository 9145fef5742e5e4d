"""Embeddings of n-grams, in tables with prime numbers of rows (Qwen4-Exp)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

from sphinx_llmsize.algebra import Quantity, Size, round_up
from sphinx_llmsize.architecture.parts.embeddings import PER_LAYER_EMBEDDING
from sphinx_llmsize.architecture.parts.weights import linear, table, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_N, N_HC, W_N, D, T
from sphinx_llmsize.translation import N_

WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""All primes up to 37; with these bases the Miller-Rabin test is exact below 3·10²³.

Sorenson & Webster 2017, https://arxiv.org/abs/1509.00864
"""


def ngram_embeddings(rows: Size, head_dim: Size, earlier_tokens: Size) -> Block:
    """Embeddings of n-grams, hashed into tables, added to all residual streams (Qwen4-Exp).

    https://huggingface.co/docs/transformers/model_doc/qwen4_exp

    Args:
        rows: rows of all tables of the layer together (:func:`ngram_rows`).
        head_dim: dimensions of one table, d_t; all tables together have d_n.
        earlier_tokens: number of earlier tokens that the convolution reads.
    """
    streams = N_HC * D
    weight = table("ngram_embedding.weight", (rows, head_dim), PER_LAYER_EMBEDDING)
    mixing = (
        *linear("ngram_key_proj", D_N, streams, PER_LAYER_EMBEDDING, label=N_("key")),
        *linear("ngram_value_proj", D_N, D, PER_LAYER_EMBEDDING, label=N_("value")),
        _norm_of_streams("key", N_("key")),
        _norm_of_streams("query", N_("query")),
        _norm_of_streams("conv", N_("conv")),
        Tensor(
            "ngram_conv.weight", (streams, W_N), PER_LAYER_EMBEDDING, N_("convolution"), Role.FILTER
        ),
    )
    return (
        Stage("ngrams", N_("N-gram embeddings"), Group.EMBEDDING, (T, D_N), (weight,)),
        Stage(
            "ngrams_mixing",
            N_("N-grams into streams"),
            Group.EMBEDDING,
            (T, streams),
            mixing,
            caches=((earlier_tokens, streams),),
        ),
    )


def _norm_of_streams(id: str, name: str) -> Tensor:
    """The scale of a norm over all residual streams: n_hc·D numbers."""
    label = N_("{name} norm", name=name)
    return vector(f"ngram_{id}_norm.weight", N_HC * D, PER_LAYER_EMBEDDING, label=label)


def ngram_rows(layer: int, rows: int) -> Quantity:
    """A symbol for the rows of a layer's n-gram tables."""
    return Quantity(
        f"V_n{layer}", N_("rows of the n-gram tables of layer {number}", number=layer), rows
    )


def table_rows(start: int, tables: int, multiple: int) -> Iterator[int]:
    """Yield, for one layer after another, the number of rows of all its tables together.

    Each table of each layer has its own prime number of rows, in ascending order.

    Args:
        start: minimum number of rows of a table.
        tables: number of tables in a layer.
        multiple: a layer's sum is rounded up to a multiple of this.
    """
    primes = filter(is_prime, count(start))
    while True:
        yield round_up(sum(islice(primes, tables)), multiple)


def is_prime(number: int) -> bool:
    """Miller-Rabin test, exact for all sizes that a configuration may have."""
    if number <= WITNESSES[-1]:
        return number in WITNESSES
    if any(number % witness == 0 for witness in WITNESSES):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return not any(_is_witness(base, number, odd, twos) for base in WITNESSES)


def _is_witness(base: int, number: int, odd: int, twos: int) -> bool:
    """Test whether the base proves that the number, 1 + odd · 2^twos, is not prime."""
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return False
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return False
    return True
