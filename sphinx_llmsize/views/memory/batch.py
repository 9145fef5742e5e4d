"""Memory to generate several sequences at once: the weights, and a KV cache for each sequence."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sphinx_llmsize.blocks import Block, Cell, Column, Row, RowKind, Table, cell, symbols_column
from sphinx_llmsize.config.symbols import T
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.memory.kv_cache import cached_parts
from sphinx_llmsize.views.memory.kv_cache_table import cache_dtype, cached_in_words, shown_contexts
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE, has_kv_cache
from sphinx_llmsize.views.shared.data_size import bytes_of, dtype_text, size_cell, size_text
from sphinx_llmsize.views.shared.wording import TIMES, capital, variable
from sphinx_llmsize.views.view_options import ViewOptions


def batch(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table with a column for each context; none for one sequence, or without a KV cache."""
    if options.batch == 1 or not has_kv_cache(model):
        return ()
    number, dtype = options.batch, options.dtype or DEFAULT_DTYPE
    contexts = shown_contexts(model, options)
    weights = bytes_of(model.total, dtype)
    caches_of_one = [
        bytes_of(model.cache_elements(context), cache_dtype(options)) for context in contexts
    ]
    caches = [number * cache for cache in caches_of_one]
    rows = (
        Row((cell(_("Weights"), dtype_text(dtype)), *(size_cell(weights) for _cache in caches))),
        Row((_cache_head(model, options, caches_of_one), *map(size_cell, caches))),
        Row((cell(_("Total")), *(size_cell(weights + cache) for cache in caches)), RowKind.TOTAL),
    )
    caption = _("Memory for {number} sequences at once", number=number)
    lengths = (
        symbols_column((variable(T), f" = {thousands(context)}"), numeric=True)
        for context in contexts
    )
    return (Table((caption,), (Column(_("Batch")), *lengths), rows),)


def _cache_head(model: Model, options: ViewOptions, sizes: Sequence[Fraction]) -> Cell:
    """First cell of the KV caches, with the size for one sequence at each context.

    The data type is given if it is not that of the weights.
    """
    label = capital(cached_in_words(cached_parts(model.architecture)))
    dtype = cache_dtype(options)
    dtype_of_weights = options.dtype or DEFAULT_DTYPE
    dtype_text = dtype if dtype != dtype_of_weights else ""
    products = ", ".join(f"{thousands(options.batch)}{TIMES}{size_text(size)}" for size in sizes)
    return cell(label, dtype_text, products)
