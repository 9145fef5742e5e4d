"""Table of a KV cache with one part: a row for each token, and one for each context."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sphinx_llmsize.algebra import Number, Size, factors_of, product
from sphinx_llmsize.blocks import Cell, Column, Line, Row, Table, cell
from sphinx_llmsize.config.symbols import T_SEEN, T
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.memory.kv_cache import CachedPart
from sphinx_llmsize.views.numbers.byte_measures import elements_text
from sphinx_llmsize.views.numbers.row_names import cached_part_name, with_words
from sphinx_llmsize.views.shared.data_size import bytes_cell, bytes_of, size_cell
from sphinx_llmsize.views.shared.folding import fitting
from sphinx_llmsize.views.shared.layer_text import component_in_layers
from sphinx_llmsize.views.shared.wording import (
    TIMES,
    formula_line,
    shape_numbers,
    size_line,
    variable,
)


def has_rows_by_length(parts: Sequence[CachedPart]) -> bool:
    """True if the cache is one array with an entry for each token, as in most models."""
    return len(parts) == 1 and parts[0].length == T_SEEN


def cache_by_length(
    model: Model, part: CachedPart, contexts: Sequence[int], dtype: str, caption: Line
) -> Table:
    """Elements and size of the cache for each token, and at each context.

    Args:
        model: the model.
        part: the only part of its cache.
        contexts: numbers of tokens.
        dtype: data type of the cache.
        caption: caption of the table.
    """
    architecture = model.architecture
    columns = (
        Column(_("Tokens")),
        Column(_("Formula")),
        Column(_("Elements"), numeric=True),
        Column(_("Bytes"), numeric=True),
        Column(_("Size"), numeric=True),
    )
    factors = _factors(part)
    per_token = part.elements_per_token(architecture)
    layers = component_in_layers(part.label, architecture.count(part.layers))
    name = cached_part_name(model, part)
    formula = cell(size_line(product(*factors)), shape_numbers(factors, architecture))
    rows = [_row(cell(_("Each token"), layers), formula, per_token, name, dtype)]
    for context in contexts:
        cached = min(context, part.window) if part.window else context
        elements = part.elements_at(architecture, context)
        numbers = TIMES.join((thousands(cached), elements_text(per_token)))
        symbols = formula_line((*_cached_tokens(part), TIMES, elements_text(per_token)))
        formula = cell(symbols, numbers)
        head = cell((variable(T), f" = {thousands(context)}"))
        rows.append(_row(head, formula, elements, with_words(name, context), dtype))
    _head, formula_column, elements_column, bytes_column, size_column = range(len(columns))
    order = (size_column, bytes_column, elements_column, formula_column)
    return fitting(Table(caption, columns, tuple(rows)), order)


def _factors(part: CachedPart) -> tuple[Size, ...]:
    """The elements that each token adds, as factors; a number comes first: 2, L, H_kv, d_h."""
    sizes = [size for size in part.shape if size != part.length]
    factors = [factor for size in sizes for factor in factors_of(size)]
    numbers = [factor for factor in factors if isinstance(factor, Number)]
    others = [factor for factor in factors if not isinstance(factor, Number)]
    return (*numbers, part.layers, *others)


def _cached_tokens(part: CachedPart) -> Line:
    """``T``, or ``min(T, 4,096)`` with a window."""
    if not part.window:
        return (variable(T),)
    return ("min(", variable(T), f", {thousands(part.window)})")


def _row(head: Cell, formula: Cell, elements: int | Fraction, name: str, dtype: str) -> Row:
    """A row with a number of elements, and their exact and rounded size.

    Args:
        head: first cell.
        formula: the elements in symbols and in numbers.
        elements: number of elements.
        name: name of the number in the role ``llm-size``.
        dtype: data type of the cache.
    """
    size = bytes_of(elements, dtype)
    in_dtype = with_words(name, dtype)
    names = (
        (),
        (),
        (with_words(name, "elements"),),
        (with_words(in_dtype, "bytes"),),
        (in_dtype,),
    )
    cells = (head, formula, cell(elements_text(elements)), bytes_cell(size), size_cell(size))
    return Row(cells, names=names)
