"""Symbolic sizes: sums and products of symbols, as in the shape of a tensor; rounding of integers.

Counting needs only ``+`` and ``×``, so this module doesn't import sympy, which is slow; views that
need more algebra convert sizes with :mod:`sphinx_llmsize.views.shared.symbolic`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Union


class Size:
    """Base class of symbolic whole numbers: number, symbol, sum or product."""

    __slots__ = ()

    def __add__(self, other: SizeLike) -> Size:
        terms = [term for term in (*_terms(self), *_terms(size(other))) if not _is_number(term, 0)]
        if len(terms) == 1:
            return terms[0]
        return Sum(tuple(terms)) if terms else ZERO

    def __mul__(self, other: SizeLike) -> Size:
        return product(self, other)

    def __rmul__(self, other: int) -> Size:
        return product(other, self)

    def evaluate(self, values: Mapping[Symbol, int]) -> int:
        """Evaluate the expression.

        Raises:
            KeyError: if a symbol has no value.
        """
        raise NotImplementedError

    def symbols(self) -> frozenset[Symbol]:
        """Return all symbols in the expression."""
        raise NotImplementedError


SizeLike = Union[Size, int]


@dataclass(frozen=True)
class Number(Size):
    """A literal, such as the 3 in ``D × 3·D``."""

    value: int

    def __str__(self) -> str:
        return str(self.value)

    def evaluate(self, values: Mapping[Symbol, int]) -> int:
        return self.value

    def symbols(self) -> frozenset[Symbol]:
        return frozenset()


@dataclass(frozen=True)
class Symbol(Size):
    """A named size: ``D``, ``H_kv``, ``d_h``.

    Attributes:
        name: letter, with a subscript after an underscore.
        meaning: description in English, translated where it is shown: ``hidden dimension``.
    """

    name: str
    meaning: str

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    @property
    def tex(self) -> str:
        r"""The symbol in TeX: ``d_{h}``, ``H_{\mathrm{kv}}``."""
        base, _, subscript = self.name.partition("_")
        tex = "".join(
            rf"\mathrm{{{part}}}" if _has_letters(part) and not is_italic else part
            for part, is_italic in subscript_parts(subscript)
        )
        return f"{base}_{{{tex}}}" if tex else base

    def evaluate(self, values: Mapping[Symbol, int]) -> int:
        return values[self]

    def symbols(self) -> frozenset[Symbol]:
        return frozenset((self,))


@dataclass(frozen=True)
class Quantity(Symbol):
    """A symbol with a fixed value: ``L_moe`` = 58, the number of layers with experts."""

    value: int

    __hash__ = Symbol.__hash__
    __str__ = Symbol.__str__

    def evaluate(self, values: Mapping[Symbol, int]) -> int:
        return self.value


@dataclass(frozen=True)
class LayerSize(Quantity):
    """A size that layers with this value have, named by the value: ``F_768``, ``H_kv,3``."""

    __hash__ = Symbol.__hash__
    __str__ = Symbol.__str__

    def replaces(self, symbol: Symbol) -> bool:
        """True if it is this size in some layers: ``F_768`` is F, and ``H_kv,3`` is H_kv."""
        return self.name in {f"{symbol.name}_{self.value}", f"{symbol.name},{self.value}"}


@dataclass(frozen=True)
class Sum(Size):
    """A sum whose terms stay in the given order."""

    terms: tuple[Size, ...]

    def __str__(self) -> str:
        return " + ".join(map(str, self.terms))

    def evaluate(self, values: Mapping[Symbol, int]) -> int:
        return sum(term.evaluate(values) for term in self.terms)

    def symbols(self) -> frozenset[Symbol]:
        return frozenset().union(*(term.symbols() for term in self.terms))


@dataclass(frozen=True)
class Product(Size):
    """A product whose factors stay in the given order."""

    factors: tuple[Size, ...]

    def __str__(self) -> str:
        return "·".join(f"({f})" if isinstance(f, Sum) else str(f) for f in self.factors)

    def evaluate(self, values: Mapping[Symbol, int]) -> int:
        return prod(factor.evaluate(values) for factor in self.factors)

    def symbols(self) -> frozenset[Symbol]:
        return frozenset().union(*(factor.symbols() for factor in self.factors))


ZERO = Number(0)
ONE = Number(1)


def subscript_parts(subscript: str) -> tuple[tuple[str, bool], ...]:
    """Parts of a subscript, each with True if it is italic: ``kv``, ``,`` and ``w`` of ``kv,w``.

    Variables of one letter are italic; words, abbreviations and numbers are upright.
    """
    parts = (part for part in re.split("(,)", subscript) if part)
    return tuple((part, len(part) == 1 and part.isalpha()) for part in parts)


def _has_letters(part: str) -> bool:
    """True for words and for words with a number, ``block2``."""
    return any(map(str.isalpha, part))


def size(value: SizeLike) -> Size:
    """Convert an int to a :class:`Number`; return a size unchanged."""
    return value if isinstance(value, Size) else Number(value)


def product(*factors: SizeLike) -> Size:
    """Product of all factors: flattens nested products and drops factors of 1."""
    flat: list[Size] = []
    for factor in factors:
        flat += [each for each in factors_of(size(factor)) if not _is_number(each, 1)]
    if len(flat) == 1:
        return flat[0]
    return Product(tuple(flat)) if flat else ONE


def ceil_div(number: int, divisor: int) -> int:
    """Quotient of two numbers, rounded up."""
    return -(-number // divisor)


def round_up(number: int, multiple: int) -> int:
    """Smallest multiple of ``multiple`` that is at least ``number``: 8 for 5 and 4."""
    return ceil_div(number, multiple) * multiple


def _is_number(value: Size, number: int) -> bool:
    """True for a literal with this value; faster than comparing sizes of any kind."""
    return isinstance(value, Number) and value.value == number


def _terms(value: Size) -> tuple[Size, ...]:
    """Terms of a sum; any other size is a single term."""
    return value.terms if isinstance(value, Sum) else (value,)


def factors_of(value: Size) -> tuple[Size, ...]:
    """Factors of a product; any other size is a single factor."""
    return value.factors if isinstance(value, Product) else (value,)
