"""Memory to generate several sequences at once: the weights, and a KV cache for each sequence."""

from __future__ import annotations

from sphinx_llmsize.blocks import Block, Column, Row, RowKind, Table, cell, symbols_column
from sphinx_llmsize.config.symbols import T
from sphinx_llmsize.formats import decimal, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.memory.kv_cache import cached_parts
from sphinx_llmsize.views.memory.kv_cache_table import cache_dtype, cached_in_words, shown_contexts
from sphinx_llmsize.views.numbers.byte_measures import CACHE_DTYPE, caches
from sphinx_llmsize.views.shared.data_size import DTYPES, bits_of, size_cells, size_text
from sphinx_llmsize.views.shared.wording import TIMES, about, capital, variable
from sphinx_llmsize.views.view_options import ViewOptions


def batch(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table with a column for each context; none for one sequence, or without a KV cache."""
    if options.batch == 1 or not caches(model):
        return ()
    number, dtype = options.batch, options.dtype or CACHE_DTYPE
    contexts = shown_contexts(model, options)
    weights = model.total * bits_of(dtype) / 8
    of_one = [model.cache_elements(each) * bits_of(cache_dtype(options)) / 8 for each in contexts]
    columns = [size_cells((weights, number * each, weights + number * each)) for each in of_one]
    cached = capital(cached_in_words(cached_parts(model.architecture)))
    each_size = ", ".join(f"{thousands(number)}{TIMES}{size_text(size)}" for size in of_one)
    bits = dtype if dtype in DTYPES else _("{number} bits", number=decimal(bits_of(dtype)))
    # a type of the weights alone is not that of the cache
    cache_type = cache_dtype(options) if dtype not in DTYPES else ""
    heads = (cell(_("Weights"), bits), cell(cached, cache_type, each_size), cell(_("Total")))
    rows = (
        Row((head, *sizes), kind)
        for head, kind, *sizes in zip(
            heads, (RowKind.MEMBER, RowKind.MEMBER, RowKind.TOTAL), *columns, strict=True
        )
    )
    caption = about(
        model,
        N_("Memory for {number} sequences of {model} at once"),
        N_("Memory for {number} sequences at once"),
        number=number,
    )
    lengths = (
        symbols_column((variable(T), f" = {thousands(context)}"), numeric=True)
        for context in contexts
    )
    return (Table((caption,), (Column(_("Batch")), *lengths), tuple(rows)),)
