"""How sizes grow with one that is scaled: polynomials in it, read off the symbolic formula.

Widths that grow with it are written as multiples of it (F = r·D), numbers of heads likewise;
all else is put in as a number. A degree is then the exponent by which doubling is felt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log

import sympy

from sphinx_llmsize.algebra import Quantity, Size, Symbol
from sphinx_llmsize.config.symbols import Length
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.scaling.scaled import Scaled
from sphinx_llmsize.views.shared.symbolic import sympy_symbol, to_sympy

Weighted = Iterable[tuple[Fraction, Size]]
"""Sizes with how often each counts."""
TWO = 2
Points = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Relation:
    """A size as ``slope · x + start``, or as ``over / x``, of the scaled one."""

    slope: Fraction = Fraction(0)
    start: Fraction = Fraction(0)
    over: Fraction = Fraction(0)

    @property
    def is_constant(self) -> bool:
        """Whether it stays."""
        return not self.slope and not self.over

    def of(self, x: sympy.Symbol) -> sympy.Expr:
        """The expression."""
        return _rational(self.slope) * x + _rational(self.start) + _rational(self.over) / x


@dataclass(frozen=True)
class Polynomial:
    """Terms by their power of x, the highest first."""

    terms: tuple[tuple[int, Fraction], ...]

    @property
    def degree(self) -> int:
        """The highest power; 0 where it does not depend on x."""
        return self.terms[0][0] if self.terms else 0

    def at(self, x: int) -> Fraction:
        """Its number there."""
        return sum((each * x**power for power, each in self.terms), start=Fraction(0))


@dataclass(frozen=True)
class Growth:
    """How a scaled model's sizes depend on the one that is scaled."""

    scaled: Scaled
    tokens: int

    @cached_property
    def x(self) -> Symbol:
        """The size that is scaled."""
        assert self.scaled.key.symbol is not None
        return self.scaled.key.symbol

    @cached_property
    def relations(self) -> dict[Symbol, Relation | None]:
        """Each size's relation to x in the models that were built; None for no simple one."""
        of_name = [
            (self.scaled.value(step.factor), {s.name: n for s, n in numbers(step.model).items()})
            for step in self.scaled.built
        ]
        return {
            symbol: relation(tuple((x, sizes.get(symbol.name, 0)) for x, sizes in of_name))
            for symbol in numbers(self.scaled.base)
        }

    def polynomial(self, parts: Weighted, counted: Iterable[Fraction]) -> Polynomial | None:
        """The sum of sizes as a polynomial in x.

        Args:
            parts: the sizes, symbolic.
            counted: the sum in each of the models that were built.

        Returns:
            None where the sum has a part that is no polynomial: one that is rounded, say.
        """
        in_x = sympy.expand(
            sympy.Add(*(_rational(each) * self._in_x(size) for each, size in parts))
        )
        x = sympy_symbol(self.x)
        if in_x.free_symbols - {x} or not in_x.is_polynomial(x):
            return None
        terms = sympy.Poly(in_x, x).terms()
        found = Polynomial(
            tuple((power, Fraction(int(c.p), int(c.q))) for (power,), c in terms if c != 0)
        )
        at = (found.at(self.scaled.value(step.factor)) for step in self.scaled.built)
        return found if tuple(at) == tuple(counted) else None

    def _in_x(self, size: Size) -> sympy.Expr:
        lengths = {
            sympy_symbol(symbol): symbol.of(self.tokens)
            for symbol in size.symbols()
            if isinstance(symbol, Length)
        }
        return to_sympy(size).xreplace({**self._substitution, **lengths})

    @cached_property
    def _substitution(self) -> dict[sympy.Symbol, sympy.Expr]:
        x = sympy_symbol(self.x)
        known = ((sympy_symbol(s), found.of(x)) for s, found in self.relations.items() if found)
        return {**dict(known), x: x}


def numbers(model: Model) -> dict[Symbol, int]:
    """The number of each symbol, also of those that only products, states or repetitions have."""
    architecture = model.architecture
    quantities = (s for s in used_symbols(model) if isinstance(s, Quantity))
    return {**architecture.sizes, **{quantity: quantity.value for quantity in quantities}}


def used_symbols(model: Model) -> frozenset[Symbol]:
    """Every symbol of tensors, of products, and of what leaves stages or is kept."""
    return frozenset((*model.architecture.symbols, *_symbols(model)))


def _symbols(model: Model) -> Iterator[Symbol]:
    for place in model.architecture.places():
        yield from place.uses.symbols()
        for shape in (place.stage.output, *place.stage.caches):
            for size in shape:
                yield from size.symbols()
        for matmul in place.stage.matmuls:
            yield from matmul.flops.symbols()


def relation(points: Points) -> Relation | None:
    """The line, or the constant over x, that goes through all points; None if there is none."""
    (x, y), (last_x, last_y) = points[0], points[-1]
    if all(x * y == other_x * other_y for other_x, other_y in points):
        return Relation(over=Fraction(x * y))
    slope = Fraction(last_y - y, last_x - x)
    start = y - slope * x
    if start and len(points) <= TWO:
        return None  # any two points are on a line
    straight = all(slope * x + start == y for x, y in points)
    return Relation(slope, start) if straight else None


def effective_exponent(before: Fraction, after: Fraction, factor: Fraction) -> float:
    """The exponent that a growth comes to: its slope on logarithmic axes."""
    return log(after / before) / log(factor)


def _rational(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)
