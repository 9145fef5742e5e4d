"""Number of key/value heads of attention, from what it caches."""

from __future__ import annotations

from collections.abc import Callable

from sphinx_llmsize.algebra import Number, Product, Size, Sum, product
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.config.symbols import H_KV
from sphinx_llmsize.views.shapes.stage_arrays import without_lengths
from sphinx_llmsize.views.shared.operations import Array


def key_heads(stage: Stage, key: Array, value: Array, count: Callable[[Size], int]) -> Size | None:
    """The number of key/value heads: the cache for one token, divided by that of one head.

    It is a multiple of a symbol in the cache's shape if possible, such as H_kv. It is None if the
    cache doesn't have keys and values of these widths: Reformer caches the states from which they
    are computed, and DiffLlama joins values in pairs.

    Args:
        stage: the attention.
        key: the keys of all query heads.
        value: the values of all query heads.
        count: function that evaluates a size.
    """
    key_width, value_width = key.shape[1], value.shape[1]
    cached = [product(*without_lengths(shape)) for shape in stage.caches]
    if not cached:
        return key.count
    number, rest = divmod(sum(map(count, cached)), count(key_width + value_width))
    if rest or (len(cached) == 1 and not _holds_pairs(cached[0])):
        return None
    symbols = frozenset().union(*(size.symbols() for size in cached))
    symbols -= key_width.symbols() | value_width.symbols()
    if number == count(key.count) and H_KV not in symbols:
        return key.count
    if H_KV in symbols:
        symbols = frozenset({H_KV})
    for symbol in sorted(symbols, key=str):
        multiple, rest = divmod(number, count(symbol))
        if not rest:
            return multiple * symbol
    return product(number)


def _holds_pairs(cached: Size) -> bool:
    """True for a key and a value of each head: 2H_kv·d_h, or a sum such as H_kv·d_h + H_kv·d_v."""
    if isinstance(cached, Product):
        return any(isinstance(each, Number) and each.value % 2 == 0 for each in cached.factors)
    return isinstance(cached, Sum)
