"""Cached elements as an exact sum, and their size in bytes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from sphinx_llmsize.algebra import Number, Symbol
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.blocks import Derivation, SumRow, SumRowKind
from sphinx_llmsize.config.symbols import T_SEEN, Length, T
from sphinx_llmsize.formats import decimal
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import Traced, untraced
from sphinx_llmsize.translation import _, pgettext
from sphinx_llmsize.views.memory.kv_cache import CachedPart
from sphinx_llmsize.views.numbers.byte_measures import ELEMENTS
from sphinx_llmsize.views.numbers.row_names import cached_part_name, with_words
from sphinx_llmsize.views.shared.data_size import bits_of, size_in, size_sign, size_texts
from sphinx_llmsize.views.shared.exact_sum import Bracket, ExactSum, Summand, derivation
from sphinx_llmsize.views.shared.layer_text import component_in_layers
from sphinx_llmsize.views.shared.symbolic import Notation, to_sympy
from sphinx_llmsize.views.shared.typeset import indexed, number, words
from sphinx_llmsize.views.shared.wording import listed_text


def kv_cache_sum(
    model: Model, parts: tuple[CachedPart, ...], context: int, dtype: str
) -> Derivation:
    """Rows of the elements cached after ``context`` tokens, ``2L·T·H_kv·d_h``, then their size."""
    symbol = indexed("N", pgettext("below a symbol", "cached"))
    brackets = tuple(Bracket((_summand(model, part, context),)) for part in parts)
    notation = _notation(model.architecture, parts, context)
    name = with_words("kv_cache", context, ELEMENTS)
    elements = ExactSum(symbol, _("Total"), _("Elements"), brackets, notation, name)
    sum_of_elements = derivation(elements)
    size = _size_row(elements.result, context, dtype)
    return replace(sum_of_elements, rows=(*sum_of_elements.rows, size))


def _notation(architecture: Architecture, parts: Iterable[CachedPart], context: int) -> Notation:
    """The values of all symbols in the sum."""
    symbols: set[Symbol] = set()
    for part in parts:
        for size in (*part.shape, part.layers):
            symbols |= size.symbols()
    without_lengths = sorted((s for s in symbols if not isinstance(s, Length)), key=str)
    sizes = {symbol: architecture.count(symbol) for symbol in without_lengths}
    others: dict[sympy.Symbol, tuple[str, int]] = {}
    for part in parts:
        if part.length:
            tex = _length_tex(part, part.length)
            cached_tokens = min(context, part.window) if part.window else context
            others[sympy.Symbol(tex)] = (tex, part.length.of(cached_tokens))
    for part in parts:
        layers = _traced_layers(part)
        if layers is not None:
            others[_layers(part)] = (number(layers), layers)
    return Notation(sizes, others)


def _size_row(elements: int, context: int, dtype: str) -> SumRow:
    """A row for ``2 bytes × 1,073,741,824 = 2,147,483,648 bytes``, with the size in GB and GiB."""
    per_element = Fraction(bits_of(dtype)) / 8
    in_words = words(_("{number} bytes", number=decimal(per_element)))
    size = elements * per_element
    exact = size_in(size, "bytes")
    return SumRow(
        _("Size in {dtype}", dtype=dtype),
        (),
        (rf"{in_words} \times {number(elements)}",),
        exact,
        SumRowKind.TOTAL,
        _notes(size),
        with_words("kv_cache", context, dtype, "bytes"),
    )


def _notes(size: Fraction) -> tuple[str, ...]:
    """Notes ``≈ 2.15 GB`` and ``= 2 GiB`` on a size; none if it is less than 1 kB, or 1 KiB."""
    # a size below 1 kB has one text only, in bytes
    return tuple(
        f"{size_sign(size, base)} {text}"
        for text, base in zip(size_texts(size), (1000, 1024), strict=False)
        if size >= base
    )


def _length_tex(part: CachedPart, length: Length) -> str:
    r"""TeX of the number of cached positions: ``T``, or ``\min(T, 4096)`` with a window."""
    tex = (T if length == T_SEEN else length).tex
    return rf"\min({tex}, {number(part.window)})" if part.window else tex


def _layers(part: CachedPart) -> sympy.Expr:
    """The number of layers for sympy, with a symbol for a traced number.

    Without one, sympy would lose the trace.
    """
    traced_layers = _traced_layers(part)
    if traced_layers is not None:
        return sympy.Symbol(f"layers_{traced_layers.position}", positive=True, integer=True)
    if isinstance(part.layers, Number):
        return to_sympy(Number(untraced(part.layers.value)))
    return to_sympy(part.layers)


def _traced_layers(part: CachedPart) -> Any:
    """The number of layers if it is traced and shown as a number, which 1 isn't; else None."""
    if not isinstance(part.layers, Number):
        return None
    value = part.layers.value
    return value if isinstance(value, Traced) and value != 1 else None


def _summand(model: Model, part: CachedPart, context: int) -> Summand:
    """Product of the numeric factor, the layers, the length and the shape's other sizes."""
    sizes = [to_sympy(size).as_coeff_Mul() for size in part.shape if size != part.length]
    factor = sympy.Mul(*(number for number, _size in sizes))
    factors = [factor, _layers(part)]
    if part.length:
        factors.append(sympy.Symbol(_length_tex(part, part.length)))
    factors += (size for _number, size in sizes)
    kinds = listed_text([_(kind) for kind in part.kinds])
    label = component_in_layers(part.label, model.architecture.count(part.layers), kinds)
    name = with_words(cached_part_name(model, part), context, ELEMENTS)
    return Summand(tuple(factors), label, number_name=name)
