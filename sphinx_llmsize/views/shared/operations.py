"""Arrays and products of them, first in symbols and then in numbers: ``12 × [5, 64]``.

Numbers in brackets stand as code writes them, without thousands separators, which would not
be told from the commas between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Union

from sphinx_llmsize.algebra import ONE, Size, Sum, Symbol, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.tensors import MatMul, Shape
from sphinx_llmsize.blocks import Cell, Inline, Line, Muted
from sphinx_llmsize.config.symbols import Length
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.translation import _, pieces
from sphinx_llmsize.views.shared.wording import TIMES, joined, size_line

COMMA = ",\N{NO-BREAK SPACE}"
"""A line breaks between arrays, not within one."""


@dataclass(frozen=True)
class Array:
    """An array, or as many as ``count`` says: ``H × [T, d_h]``."""

    shape: Shape
    count: Size = ONE


Told = tuple[Union[str, Size, Array], ...]
"""Words, sizes and arrays in a line."""


@dataclass(frozen=True)
class Passing:
    """T tokens on their way through a model; every other sequence is as long."""

    architecture: Architecture
    tokens: int

    def count(self, size: Size) -> int:
        """The number that a size comes to."""
        lengths = (symbol for symbol in size.symbols() if isinstance(symbol, Length))
        return self.architecture.count_at(size, {s: s.of(self.tokens) for s in lengths})

    def cell(self, *tolds: Told) -> Cell:
        """For each line one in symbols and, where there are any, one in numbers."""
        return tuple(line for told in tolds for line in self._lines(told))

    def _lines(self, told: Told) -> Iterator[Line]:
        symbols, numbers = in_symbols(told), self._in_numbers(told)
        yield symbols
        if "".join(map(str, symbols)) != numbers:
            yield (Muted(numbers),)

    def _in_numbers(self, told: Told) -> str:
        return "".join(map(self._number, told))

    def _number(self, piece: str | Size | Array) -> str:
        if isinstance(piece, str):
            return piece
        if isinstance(piece, Size):
            return thousands(self.count(piece))
        count = "" if piece.count == ONE else f"{thousands(self.count(piece.count))}{TIMES}"
        return f"{count}[{COMMA.join(str(self.count(size)) for size in piece.shape)}]"


def told(template: str, **places: Size | Array) -> Told:
    """A translated message, its places filled with sizes and arrays."""
    found: list[str | Size | Array] = []
    for text, place in pieces(template):
        found += [text, *((places.get(place, f"{{{place}}}"),) if place else ())]
    return tuple(piece for piece in found if piece != "")


def in_symbols(told: Told) -> Line:
    """``H × [T, d_h]``, its symbols as variables."""
    return joined(inline for piece in told for inline in _symbols(piece))


def sizes_of(told: Told) -> Iterator[Size]:
    """Every size that stands in it."""
    for piece in told:
        if isinstance(piece, Array):
            yield from (piece.count, *piece.shape)
        elif isinstance(piece, Size):
            yield piece


def symbols_of(tolds: Iterable[Told]) -> frozenset[Symbol]:
    """Every symbol that stands in them."""
    sizes = (size for told in tolds for size in sizes_of(told))
    return frozenset().union(*(size.symbols() for size in sizes))


def product_told(matmul: MatMul) -> Told:
    """``H × [T, d_h] × [d_h, T]``."""
    left = Array((matmul.rows, matmul.inner), matmul.count)
    return (left, TIMES, Array((matmul.inner, matmul.columns)))


def together(matmuls: Iterable[MatMul]) -> tuple[tuple[str, MatMul], ...]:
    """Equal products as one, with the labels of all: ``k, v: 2 × [T, D] × [D, D]``."""
    labels: dict[MatMul, list[str]] = {}
    for matmul in matmuls:
        labels.setdefault(replace(matmul, label=""), []).append(matmul.label)
    return tuple(
        (
            ", ".join(map(_, filter(None, names))),
            replace(matmul, count=product(len(names), matmul.count)),
        )
        for matmul, names in labels.items()
    )


def _symbols(piece: str | Size | Array) -> Iterator[Inline]:
    if isinstance(piece, str):
        yield piece
    elif isinstance(piece, Size):
        yield from size_line(piece)
    else:
        if piece.count != ONE:
            left, right = ("(", ")") if isinstance(piece.count, Sum) else ("", "")
            yield from (left, *size_line(piece.count), right, TIMES)
        yield "["
        for position, size in enumerate(piece.shape):
            yield from (*((COMMA,) if position else ()), *size_line(size))
        yield "]"
