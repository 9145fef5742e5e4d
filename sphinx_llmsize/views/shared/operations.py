"""Arrays and products of arrays, in symbols and in numbers: ``12 × [5, 64]``.

Numbers in brackets have no thousands separators, since commas separate the dimensions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Union

from sphinx_llmsize.algebra import ONE, Size, Sum, Symbol, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.tensors import MatMul, Shape
from sphinx_llmsize.blocks import Cell, Inline, Line, Muted
from sphinx_llmsize.config.symbols import Length
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.inline import FormulaText
from sphinx_llmsize.translation import literals_and_placeholders
from sphinx_llmsize.views.shared.weight_lines import part_label
from sphinx_llmsize.views.shared.wording import (
    COMMA,
    TIMES,
    activation_line,
    formula_line,
    joined,
    size_line,
)


@dataclass(frozen=True)
class Array:
    """One or more arrays of the same shape: ``H × [T, d_h]``."""

    shape: Shape
    count: Size = ONE


Expression = tuple[Union[str, Size, Array], ...]
"""A line of text, sizes and arrays."""


@dataclass(frozen=True)
class Evaluator:
    """Evaluates sizes in a forward pass of T tokens; other lengths follow from T."""

    architecture: Architecture
    tokens: int

    def count(self, size: Size) -> int:
        """The value of a size."""
        lengths = (symbol for symbol in size.symbols() if isinstance(symbol, Length))
        return self.architecture.count_at(size, {s: s.of(self.tokens) for s in lengths})

    def cell(self, *expressions: Expression) -> Cell:
        """Each expression in symbols and, if it contains sizes, in numbers below."""
        return tuple(line for each in expressions for line in self._lines(each))

    def _lines(self, expression: Expression) -> Iterator[Line]:
        """The line in symbols, then that in numbers unless it is the same."""
        symbols = in_symbols(expression)
        numbers = "".join(map(self._in_numbers, expression))
        yield symbols
        if "".join(map(str, symbols)) != numbers:
            yield (Muted(numbers),)

    def _in_numbers(self, piece: str | Size | Array) -> str:
        """A piece of an expression, with the values of its sizes."""
        if isinstance(piece, str):
            return piece
        if isinstance(piece, Size):
            return thousands(self.count(piece))
        count = "" if piece.count == ONE else f"{thousands(self.count(piece.count))}{TIMES}"
        return f"{count}[{COMMA.join(str(self.count(size)) for size in piece.shape)}]"


def expression(template: str, **contents: Size | Array) -> Expression:
    """A translated message with sizes and arrays in place of its placeholders."""
    parts: list[str | Size | Array] = []
    for text, place in literals_and_placeholders(template):
        parts.append(text)
        if place:
            parts.append(contents.get(place, f"{{{place}}}"))
    return tuple(part for part in parts if part != "")


def in_symbols(expression: Expression) -> Line:
    """``H × [T, d_h]``, symbols as variables."""
    return joined(inline for piece in expression for inline in _symbols(piece))


def symbols_of(expressions: Iterable[Expression]) -> frozenset[Symbol]:
    """Every symbol in the expressions."""
    symbols: set[Symbol] = set()
    for piece in chain.from_iterable(expressions):
        if isinstance(piece, Array):
            symbols.update(*(size.symbols() for size in (piece.count, *piece.shape)))
        elif isinstance(piece, Size):
            symbols |= piece.symbols()
    return frozenset(symbols)


def product_of(matmul: MatMul) -> Expression:
    """``H × [T, d_h] × [d_h, T]``."""
    left = Array((matmul.rows, matmul.inner), matmul.count)
    return (left, TIMES, Array((matmul.inner, matmul.columns)))


def merged(matmuls: Iterable[MatMul]) -> tuple[tuple[str, MatMul], ...]:
    """Products with their labels; equal products are one: ``K, V`` of ``2 × [T, D] × [D, D]``."""
    labels_by_product: dict[MatMul, list[str]] = {}
    for matmul in matmuls:
        labels_by_product.setdefault(replace(matmul, label=""), []).append(matmul.label)
    result = []
    for matmul, labels in labels_by_product.items():
        label = ", ".join(part_label(each) for each in labels if each)
        result.append((label, replace(matmul, count=product(len(labels), matmul.count))))
    return tuple(result)


def _symbols(piece: str | Size | Array) -> Iterator[Inline]:
    """A piece of an expression, symbols as variables."""
    if isinstance(piece, str):
        yield FormulaText(piece) if piece == TIMES else piece
    elif isinstance(piece, Size):
        yield from size_line(piece)
    else:
        if isinstance(piece.count, Sum):
            yield from formula_line(("(", *size_line(piece.count), ")", TIMES))
        elif piece.count != ONE:
            yield from formula_line((*size_line(piece.count), TIMES))
        yield from activation_line(piece.shape)
