"""KV cache and recurrent state as a table, with notes and the exact sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Column,
    Line,
    Paragraph,
    Row,
    RowKind,
    Table,
    cell,
    symbols_column,
)
from sphinx_llmsize.config.symbols import T_SEEN, T
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.in_words.windows_in_words import has_chunks
from sphinx_llmsize.views.memory.kv_cache import CachedPart, cached_parts
from sphinx_llmsize.views.memory.kv_cache_by_length import cache_by_length, has_rows_by_length
from sphinx_llmsize.views.memory.kv_cache_notes import kv_cache_notes
from sphinx_llmsize.views.memory.kv_cache_sum import kv_cache_sum
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE, elements_text
from sphinx_llmsize.views.numbers.row_names import cached_part_name, with_words
from sphinx_llmsize.views.shared.counted_table import EMPTY
from sphinx_llmsize.views.shared.data_size import DTYPES, bytes_of, size_cell, size_in
from sphinx_llmsize.views.shared.folding import DASH, folding_row
from sphinx_llmsize.views.shared.lengths import context_of, tokens_line, usual_contexts
from sphinx_llmsize.views.shared.occurrences import in_layers
from sphinx_llmsize.views.shared.wording import (
    TIMES,
    capital,
    filled,
    formula_line,
    listed_text,
    shape_line,
    shape_numbers,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions


def kv_cache(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table of the KV cache, notes on it, and the exact sum of several parts."""
    parts = cached_parts(model.architecture)
    dtype, contexts = cache_dtype(options), shown_contexts(model, options)
    if not _depends_on_length(parts):
        contexts = contexts[:1]
    caption = (_("{parts} in {dtype}", parts=capital(cached_in_words(parts)), dtype=dtype),)
    notes = kv_cache_notes(model, parts, contexts[-1], dtype)
    if has_rows_by_length(parts):
        return (cache_by_length(model, parts[0], contexts, dtype, caption), *notes)
    table = _KVCacheTable(model, parts, dtype, contexts).block(caption)
    if len(parts) == 1:  # the table has all of its numbers
        return (table, *notes)
    exact = kv_cache_sum(model, parts, contexts[-1], dtype)
    heading = filled(
        _("The parts add up to the {cache} after {tokens}:")
        if _depends_on_length(parts)
        else _("The parts add up to the {cache}, the same after any number of tokens:"),
        cache=cached_in_words(parts),
        tokens=tokens_line(contexts[-1]),
    )
    return (table, *notes, Paragraph(heading), exact)


def _depends_on_length(parts: Iterable[CachedPart]) -> bool:
    """True if a part is larger after more tokens; states aren't."""
    return any(part.length for part in parts)


def cache_dtype(options: ViewOptions) -> str:
    """Data type of the KV cache."""
    return options.dtype if options.dtype in DTYPES else DEFAULT_DTYPE


def shown_contexts(model: Model, options: ViewOptions) -> tuple[int, ...]:
    """The contexts that have a column.

    Raises:
        ConfigError: the model has fewer positions.
    """
    if options.context or options.tokens:
        return (context_of(model, options),)
    return usual_contexts(model)


def cached_in_words(parts: tuple[CachedPart, ...]) -> str:
    """``KV cache``, ``KV cache and states``, or ``states``."""
    names: list[str] = []
    if any(part.length for part in parts):
        names.append(_("KV cache"))
    if not all(part.length for part in parts):
        names.append(_("states"))
    return listed_text(names)


@dataclass(frozen=True)
class _KVCacheTable:
    """Table with a row for each cached part and a column for each context.

    Attributes:
        model: the model.
        parts: its cached parts.
        dtype: data type of the cache.
        contexts: numbers of tokens.
    """

    model: Model
    parts: tuple[CachedPart, ...]
    dtype: str
    contexts: tuple[int, ...]

    def block(self, caption: Line) -> Table:
        """The table, with a row for the total if there are several parts."""
        columns = (
            Column(_("Cached")),
            Column(_("Shape in a layer"), folds=True),
            Column(_("Layers"), numeric=True, folds=True),
            Column(_("Elements per token"), numeric=True, folds=True),
            *(self._size_column(context) for context in self.contexts),
        )
        rows: list[Row] = []
        sizes_by_row = list(zip(*map(self._sizes, self.contexts), strict=True))
        for position, part in enumerate(self.parts):
            row = folding_row(columns, (*self._head(part), *sizes_by_row[position]))
            rows.append(replace(row, names=self._names_of(part)))
        if len(self.parts) > 1:
            head = (cell(_("Total")), EMPTY, EMPTY, self._per_token(self.parts))
            row = folding_row(columns, (*head, *sizes_by_row[-1]), RowKind.TOTAL)
            grows = any(part.grows for part in self.parts)
            rows.append(replace(row, names=self._names("kv_cache", grows=grows)))
        return Table(caption, columns, tuple(rows))

    def _size_column(self, context: int) -> Column:
        """The column of the sizes at a context, or at any if all are the same."""
        if _depends_on_length(self.parts):
            return symbols_column((variable(T), f" = {thousands(context)}"), numeric=True)
        return symbols_column(filled(_("Any {T}"), T=variable(T)), numeric=True)

    def _head(self, part: CachedPart) -> tuple[Cell, ...]:
        """Cells of the part's name, shape, layers and elements per token."""
        layers = cell(thousands(self.model.architecture.count(part.layers)))
        if part.grows:
            per_token = self._per_token((part,))
        elif part.length:
            per_token = cell(DASH, _("grows with {length}", length=part.length))
        else:
            per_token = cell(DASH, _("constant"))
        return (self._label_cell(part), self._shape(part), layers, per_token)

    def _names_of(self, part: CachedPart) -> tuple[tuple[str, ...], ...]:
        """The names of the numbers in a part's row."""
        name = cached_part_name(self.model, part)
        head, shape, _layers, *others = self._names(name, grows=part.grows)
        return (head, shape, (f"{name}.num_layers",), *others)

    def _names(self, name: str, *, grows: bool) -> tuple[tuple[str, ...], ...]:
        """The names of the numbers in each cell of a row: its elements per token, and its sizes."""
        sizes = ((with_words(name, context, self.dtype),) for context in self.contexts)
        per_token = (with_words(name, "elements"),) if grows else ()
        return ((), (), (), per_token, *sizes)

    def _per_token(self, parts: Sequence[CachedPart]) -> Cell:
        """The elements per token of these parts, with the bytes if these are all parts."""
        architecture = self.model.architecture
        added = sum((part.elements_per_token(architecture) for part in parts), start=Fraction(0))
        if not added:
            return cell(DASH, _("constant"))
        if len(parts) < len(self.parts):
            return cell(elements_text(added))
        size = size_in(bytes_of(added, self.dtype), "bytes")
        return cell(elements_text(added), size)

    def _sizes(self, context: int) -> tuple[Cell, ...]:
        """A cell for each part with its size, then one for all if there are several parts."""
        architecture = self.model.architecture
        sizes = [
            bytes_of(part.elements_at(architecture, context), self.dtype) for part in self.parts
        ]
        if len(sizes) > 1:
            sizes.append(sum(sizes, start=Fraction(0)))
        return tuple(map(size_cell, sizes))

    def _label_cell(self, part: CachedPart) -> Cell:
        """Cell with a part's label, its layers and its window."""
        notes = [in_layers(part.kinds)] if part.kinds else []
        if part.window:
            chunk, window = N_("chunk of {number} tokens"), N_("window of {number} tokens")
            notes.append(_(chunk if has_chunks(self.model) else window, number=part.window))
        elif any(other.window and other.id == part.id for other in self.parts):
            notes.append(_("of all tokens"))
        return cell(part.label, *notes)

    def _shape(self, part: CachedPart) -> Cell:
        """Cell with a shape such as ``min(T, 4,096) × 2H_kv·d_h``, in symbols and in numbers."""
        architecture = self.model.architecture
        if part.length is None:
            return cell(shape_line(part.shape), shape_numbers(part.shape, architecture))
        length = T if part.length == T_SEEN else part.length
        rest = tuple(size for size in part.shape if size != part.length)
        _length, *times_rest = shape_line((length, *rest))
        positions: Line = (variable(length),)
        if part.window:
            positions = ("min(", *positions, f", {thousands(part.window)})")
        numbers = (*positions, f"{TIMES}{shape_numbers(rest, architecture)}")
        return cell(formula_line((*positions, *times_rest)), numbers)
