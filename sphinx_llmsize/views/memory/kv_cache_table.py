"""The table of what is kept for the next token, and what it spares."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sphinx_llmsize.architecture.cost import grows
from sphinx_llmsize.architecture.tensors import Shape
from sphinx_llmsize.blocks import Block, Cell, Column, Line, Muted, Paragraph, Row, RowKind, Table
from sphinx_llmsize.config.symbols import T_SEEN, Length, T
from sphinx_llmsize.formats import significant, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.memory.kv_cache import Kept, what_is_kept
from sphinx_llmsize.views.memory.kv_cache_sum import kept_sum
from sphinx_llmsize.views.numbers.measures import CACHE_DTYPE
from sphinx_llmsize.views.shared.contexts import usual_contexts
from sphinx_llmsize.views.shared.data_size import DTYPES, bits_of, size_cell, size_in, size_text
from sphinx_llmsize.views.shared.lengths import as_long, context_of
from sphinx_llmsize.views.shared.occurrences import in_layers
from sphinx_llmsize.views.shared.wording import (
    TIMES,
    filled,
    listed_text,
    shape_line,
    shape_numbers,
    title,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions

EMPTY: Cell = ((),)
STATES = N_(
    "States do not grow with the sequence. They are counted in the same type as the rest; some "
    "programs keep them in fp32."
)


def cache(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The table, what it spares compared with multi-head attention, and its sum in symbols."""
    table = _Cache(
        model,
        what_is_kept(model.architecture),
        options.dtype if options.dtype in DTYPES else CACHE_DTYPE,
        (context_of(model, options),) if options.context else usual_contexts(model),
    )
    notes = (Paragraph(note) for note in table.notes())
    longest = table.contexts[-1]
    return (
        table.block(),
        *notes,
        kept_sum(model.architecture, table.cache_elements, longest, table.bits),
    )


@dataclass(frozen=True)
class _Cache:
    """What is kept: a row for each kind of layer, a column for each context."""

    model: Model
    cache_elements: tuple[Kept, ...]
    dtype: str
    contexts: tuple[int, ...]

    @property
    def bits(self) -> Fraction:
        return bits_of(self.dtype)

    def block(self) -> Table:
        columns = (
            Column(_("What is kept")),
            Column(_("Shape in a layer")),
            Column(_("Layers"), numeric=True),
            Column(_("Numbers per token"), numeric=True),
            *(Column(f"{T} = {thousands(context)}", numeric=True) for context in self.contexts),
        )
        rows = tuple(self._row(cache_elements) for cache_elements in self.cache_elements)
        total = (self._total(),) if len(rows) > 1 else ()
        return Table(self._caption(), columns, (*rows, *total))

    def notes(self) -> tuple[Line, ...]:
        """What the numbers rest on, and what attention with more keys and values would keep."""
        lengths = dict.fromkeys(
            cache_elements.length for cache_elements in self.cache_elements if cache_elements.length
        )
        others = {length for length in lengths if not grows(length)}
        rates = (_rate_note(length) for length in lengths if length.rate > 1)
        states = (
            ()
            if all(cache_elements.length for cache_elements in self.cache_elements)
            else (_(STATES),)
        )
        found = (as_long(self.model) if others else (), *rates, states, self._saving())
        return tuple(filter(None, found))

    def _caption(self) -> str:
        found = {bool(cache_elements.length) for cache_elements in self.cache_elements}
        names = (_("KV cache") if is_cache else _("states") for is_cache in sorted(found)[::-1])
        return _(
            "{model}: {kept} of a sequence of {T} tokens, in {dtype}",
            model=title(self.model),
            kept=listed_text(tuple(names)),
            T=T,
            dtype=self.dtype,
        )

    def _row(self, cache_elements: Kept) -> Row:
        layers = thousands(self.model.architecture.count(cache_elements.layers))
        per_token, *sizes = self._sums((cache_elements,), exact=len(self.cache_elements) == 1)
        if not cache_elements.grows:
            length = cache_elements.length
            why_not = _("grows with {length}", length=length) if length else _("constant")
            per_token = (("–",), (Muted(why_not),))
        return Row(
            (
                self._head(cache_elements),
                self._shape(cache_elements),
                ((layers,),),
                per_token,
                *sizes,
            )
        )

    def _total(self) -> Row:
        cells = self._sums(self.cache_elements, exact=True)
        return Row((((_("Total"),),), EMPTY, EMPTY, *cells), RowKind.TOTAL)

    def _sums(self, rows: tuple[Kept, ...], *, exact: bool) -> tuple[Cell, ...]:
        """The numbers per token, and the sizes for each context."""
        architecture = self.model.architecture
        each = sum(
            (cache_elements.for_each_token(architecture) for cache_elements in rows),
            start=Fraction(0),
        )
        in_bytes = ((Muted(size_in(self._bytes(each), "bytes")),),) if exact else ()
        totals = (
            sum(cache_elements.at(architecture, c) for cache_elements in rows)
            for c in self.contexts
        )
        sizes = (size_cell(self._bytes(total), exact=exact) for total in totals)
        return (((_plain(each),), *in_bytes), *sizes)

    def _head(self, cache_elements: Kept) -> Cell:
        notes = [in_layers(cache_elements.kinds)] if cache_elements.kinds else []
        if cache_elements.window:
            notes.append(_("window of {number} tokens", number=thousands(cache_elements.window)))
        elif any(
            other.window and other.what == cache_elements.what for other in self.cache_elements
        ):
            notes.append(_("of all tokens"))
        return ((cache_elements.what,), *((Muted(note),) for note in notes))

    def _shape(self, cache_elements: Kept) -> Cell:
        """``min(T, 4,096) × 2·H_kv·d_h``, and the same in numbers."""
        if cache_elements.length is None:
            return (shape_line(cache_elements.shape), (Muted(self._numbers(cache_elements.shape)),))
        length = T if cache_elements.length == T_SEEN else cache_elements.length
        rest = tuple(size for size in cache_elements.shape if size != cache_elements.length)
        _, *others = shape_line((length, *rest))
        window = f", {thousands(cache_elements.window)})" if cache_elements.window else ""
        first: Line = ("min(", variable(length), window) if window else (variable(length),)
        in_words = "".join(map(str, first))
        return ((*first, *others), (Muted(TIMES.join((in_words, self._numbers(rest)))),))

    def _numbers(self, shape: Shape) -> str:
        return shape_numbers(shape, self.model.architecture)

    def _bytes(self, numbers: int | Fraction) -> Fraction:
        return numbers * self.bits / 8

    def _saving(self) -> Line:
        """How much more multi-head attention of the same heads would keep."""
        architecture, longest = self.model.architecture, self.contexts[-1]
        shared = [
            cache_elements
            for cache_elements in self.cache_elements
            if cache_elements.grows and architecture.count(cache_elements.unshared)
        ]
        now = sum(cache_elements.at(architecture, longest) for cache_elements in shared)
        then = sum(
            cache_elements.with_all_heads(architecture, longest) for cache_elements in shared
        )
        if then <= now:
            return ()
        text = _(
            "The KV cache of multi-head attention, with keys and values for each of the heads, "
            "would be {ratio} times as large: {size} for {number} tokens.",
            ratio=significant(Fraction(then, now)),
            size=size_text(self._bytes(then)),
            number=thousands(longest),
        )
        return (text,)


def _rate_note(length: Length) -> Line:
    return filled(
        _("{length} stands for {meaning}: {ratio}, rounded down."),
        length=variable(length),
        meaning=_(length.meaning),
        ratio=(variable(T), f"/{length.rate}"),
    )


def _plain(number: Fraction) -> str:
    return thousands(int(number)) if number.denominator == 1 else f"{float(number):,}"
