"""Embeddings of n-grams, hashed into tables, which some layers add to their input (Qwen4-Exp).

https://huggingface.co/docs/transformers/model_doc/qwen4_exp
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

from sphinx_llmsize.algebra import Quantity, Size
from sphinx_llmsize.architecture.parts.weights import linear, table, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_N, N_HC, W_N, D, T
from sphinx_llmsize.translation import N_

_COMPONENT = "per_layer_embedding"
WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Enough to tell every prime below 3·10²⁴ (Sorenson & Webster 2017)."""


def ngram_embeddings(rows: Size, head_dim: Size, before: Size) -> Block:
    """Tables of ``rows`` × ``head_dim``, a value of D for all streams and a key for each.

    Args:
        rows: of all tables of the layer together; see :func:`table_rows`.
        head_dim: what a table gives; those of all tables together are d_n numbers.
        before: how many tokens before it the convolution reaches back.
    """
    streams = N_HC * D
    weight = table("ngram_embedding.weight", (rows, head_dim), _COMPONENT)
    mixing = (
        *linear("ngram_key_proj", D_N, streams, _COMPONENT, label=N_("key")),
        *linear("ngram_value_proj", D_N, D, _COMPONENT, label=N_("value")),
        *(
            vector(
                f"ngram_{name}_norm.weight", streams, _COMPONENT, label=N_("{name} norm", name=name)
            )
            for name in (N_("key"), N_("query"), N_("conv"))
        ),
        Tensor("ngram_conv.weight", (streams, W_N), _COMPONENT, N_("convolution"), Role.FILTER),
    )
    return (
        Stage("ngrams", N_("N-gram embeddings"), Group.EMBEDDING, (T, D_N), (weight,)),
        Stage(
            "ngrams_mixing",
            N_("N-grams into streams"),
            Group.EMBEDDING,
            (T, streams),
            mixing,
            caches=((before, streams),),
        ),
    )


def table_rows(start: int, tables: int, multiple: int) -> Iterator[int]:
    """The rows of each layer's tables together.

    Every table of every layer has a prime number of rows of its own, in ascending order.

    Args:
        start: the least number of rows of a table.
        tables: how many a layer has.
        multiple: what a layer's sum is rounded up to a multiple of.
    """
    primes = filter(is_prime, count(start))
    while True:
        yield -(-sum(islice(primes, tables)) // multiple) * multiple


def is_prime(number: int) -> bool:
    """The Miller-Rabin test, certain for every size that a configuration may have."""
    if number < WITNESSES[-1] + 1:
        return number in WITNESSES
    if any(number % witness == 0 for witness in WITNESSES):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return not any(_is_witness(base, number, odd, twos) for base in WITNESSES)


def _is_witness(base: int, number: int, odd: int, twos: int) -> bool:
    """Whether the base shows that the number, 1 + odd · 2^twos, is no prime."""
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return False
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return False
    return True


def ngram_rows(layer: int, rows: int) -> Quantity:
    """The rows of the tables of a layer, as a symbol."""
    return Quantity(
        f"V_n{layer}", N_("rows of the n-gram tables of layer {number}", number=layer), rows
    )
