"""Symbolic sizes as sympy expressions and as TeX.

Importing sympy takes long, so only views with formulas import this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from math import floor, prod
from typing import Any

import sympy
from sympy.printing.latex import latex

from sphinx_llmsize.algebra import Number, Product, Size, Sum, Symbol
from sphinx_llmsize.blocks import Tex
from sphinx_llmsize.config.symbols import factor_order, summand_order
from sphinx_llmsize.traced import Traced, is_whole, quotient
from sphinx_llmsize.views.shared.typeset import number

VARIABLE = sympy.Symbol("x")
"""The variable of polynomials."""
Points = Sequence[tuple[int, Fraction]]
"""Pairs of the variable's value and the polynomial's value."""
ChooseFactors = Callable[[Sequence[sympy.Expr]], Sequence[sympy.Expr]]
"""Function that returns the factors of a product that are written, from all in their order."""


def sympy_symbol(symbol: Symbol) -> sympy.Symbol:
    """The sympy symbol of a size: a positive integer."""
    return _symbol_named(symbol.name)


@lru_cache(maxsize=256)
def _symbol_named(name: str) -> sympy.Symbol:
    # cached by name: comparing symbols with traced values would add conditions to their trace
    return sympy.Symbol(name, positive=True, integer=True)


def to_sympy(size: Size) -> sympy.Expr:
    """A size as a sympy expression, multiplied out."""
    if isinstance(size, Symbol):
        return sympy_symbol(size)
    if isinstance(size, Number):
        return sympy.Integer(size.value)
    if isinstance(size, Sum):
        return sympy.expand(sympy.Add(*map(to_sympy, size.terms)))
    assert isinstance(size, Product)
    return sympy.expand(sympy.Mul(*map(to_sympy, size.factors)))


@lru_cache(maxsize=2048)
def summands(expression: sympy.Expr) -> tuple[sympy.Expr, ...]:
    """The terms of a sum in the order of display, which is the same in symbols and in numbers.

    Higher powers come first; see :func:`.summand_order` for terms of the same degree.
    """
    terms, bases = expression.as_terms()
    by_name = sorted(range(len(bases)), key=lambda position: summand_order(str(bases[position])))

    def order(term: tuple[sympy.Expr, Any]) -> tuple[Any, list[Any]]:
        _coefficient, powers, _noncommutative = term[1]
        return sum(powers), [powers[position] for position in by_name]

    return tuple(term for term, _powers in sorted(terms, key=order, reverse=True))


@lru_cache(maxsize=2048)
def factored(expression: sympy.Expr) -> sympy.Expr:
    """``D·(R + d)`` for ``D·R + D·d``; unchanged if the bracket would contain products or 1."""
    product = sympy.factor_terms(expression)
    brackets = [factor for factor in sympy.Mul.make_args(product) if factor.is_Add]
    if not product.is_Mul or len(brackets) != 1:
        return expression
    terms = [term.as_coeff_Mul() for term in brackets[0].args]
    has_symbols_only = all(symbol.is_Symbol for _number, symbol in terms)
    return product if has_symbols_only else expression


def factor_tex(size: Size) -> str:
    """TeX of a size as a factor, in the order in which it is written: ``(2 L + 1)``."""
    if isinstance(size, Symbol):
        return size.tex
    if isinstance(size, Number):
        return number(size.value)
    if isinstance(size, Product):
        return r" \, ".join(map(factor_tex, size.factors))
    assert isinstance(size, Sum)
    return f"({' + '.join(map(factor_tex, size.terms))})"


def numbers_tex(
    expression: sympy.Expr, values: Mapping[sympy.Symbol, Any], write: Callable[[Any], str]
) -> str:
    """TeX with numbers in place of the symbols, without factors of 1.

    Args:
        expression: the expression.
        values: the value of each symbol.
        write: function that writes a value as TeX.
    """
    names = {symbol: write(value) for symbol, value in values.items()}
    choose = partial(_other_than_one, values=values)
    return "".join(_tex(expression, names, r" \times ", choose))


def value_of(expression: sympy.Expr, values: Mapping[sympy.Symbol, Any]) -> Any:
    """The exact value of an expression of sums, products and powers."""
    if expression.is_Symbol:
        return values[expression]
    if expression.is_Rational:
        whole = expression.q == 1
        return int(expression.p) if whole else Fraction(int(expression.p), int(expression.q))
    operands = [value_of(each, values) for each in expression.args]
    if expression.is_Add:
        return sum(operands)
    if expression.is_Mul:
        return prod(operands)
    base, power = operands
    return base**power if power >= 0 else quotient(1, base**-power)


def polynomial(points: Points) -> sympy.Poly | None:
    """The interpolating polynomial of n points; None if its degree is n - 1.

    Any n points lie on a polynomial of degree n - 1, so only a lower degree is significant.
    """
    result = sympy.Poly(0, VARIABLE, domain="QQ")
    basis = sympy.Poly(1, VARIABLE, domain="QQ")
    for value, count in points:  # Newton interpolation
        result += basis * ((sympy.Rational(count) - result.eval(value)) / basis.eval(value))
        basis *= sympy.Poly(VARIABLE - value, VARIABLE, domain="QQ")
    return result if result.degree() < len(points) - 1 else None


@dataclass(frozen=True)
class Notation:
    """TeX and values of the symbols in expressions.

    Attributes:
        sizes: the value of each symbol of a model.
        others: TeX and value of other symbols, such as the result of another sum.
    """

    sizes: Mapping[Symbol, int]
    others: Mapping[sympy.Symbol, tuple[str, int]] = field(default_factory=dict)

    def symbols(self, expression: sympy.Expr) -> Tex:
        """TeX in symbols, in pieces of one term."""
        names = {sympy_symbol(symbol): symbol.tex for symbol in self.sizes}
        others = {symbol: tex for symbol, (tex, _number) in self.others.items()}
        return _tex(expression, {**names, **others}, r" \, ")

    def numbers(self, expression: sympy.Expr) -> Tex:
        """TeX with the numbers in place of symbols, in pieces of one term; without factors of 1."""
        choose = partial(_other_than_one, values=self._values)
        return _tex(expression, self._numbers, r" \times ", choose)

    def count(self, expression: sympy.Expr) -> int:
        """The value of an expression."""
        value = value_of(expression, self._values)
        whole: int = value if is_whole(value) else floor(value)
        return whole

    def traced_in(self, tex: str) -> list[Any]:
        """The traced numbers in TeX, for a notation with at least one traced value."""
        values: Iterable[object] = self._values.values()
        any_traced = next(value for value in values if isinstance(value, Traced))
        return any_traced.trace.numbers_in(tex)  # all values have the same trace

    @cached_property
    def _values(self) -> dict[sympy.Symbol, int]:
        """Value of each symbol."""
        sizes = {sympy_symbol(symbol): value for symbol, value in self.sizes.items()}
        others = {symbol: value for symbol, (_tex, value) in self.others.items()}
        return {**sizes, **others}

    @cached_property
    def _numbers(self) -> dict[sympy.Symbol, str]:
        """TeX of each symbol's value."""
        return {symbol: number(value) for symbol, value in self._values.items()}


def _other_than_one(
    factors: Sequence[sympy.Expr], values: Mapping[sympy.Symbol, Any]
) -> list[sympy.Expr]:
    """The factors without symbols whose value is 1: ``3·D·F`` for ``3·E_s·D·F`` with E_s = 1."""
    bases = [factor.as_base_exp()[0] for factor in factors]
    return [
        factor
        for factor, base in zip(factors, bases, strict=True)
        if not (base.is_Symbol and values[base] == 1)
    ]


def _tex(
    expression: sympy.Expr,
    names: dict[sympy.Symbol, str],
    times: str,
    choose: ChooseFactors = tuple,
) -> Tex:
    """TeX of each term with its sign; common factors are written once.

    Args:
        expression: the expression.
        names: TeX of each symbol.
        times: sign between factors.
        choose: function that returns the factors of a product that are written.
    """
    terms: list[str] = []
    for term in summands(factored(expression)):
        tex = latex(_in_order(term, choose), symbol_names=names, mul_symbol=times, order="none")
        for command, plain in ((r"\left(", "("), (r"\right)", ")"), (r"\frac", r"\tfrac")):
            tex = tex.replace(command, plain)
        terms.append(_signed(tex) if terms else tex)
    return tuple(terms)


def _signed(term: str) -> str:
    """A term after another one: `` + 4 D``, `` - 2``."""
    return f" - {term[1:].lstrip()}" if term.startswith("-") else f" + {term}"


def _in_order(term: sympy.Expr, choose: ChooseFactors) -> sympy.Expr:
    """The chosen factors of a product in the order of display, sums last."""
    coefficient, others = term.as_coeff_mul()
    in_order = sorted(others, key=_display_order)
    factors = [_ordered_sum(factor, choose) for factor in choose(in_order)]
    if coefficient != 1:
        factors.insert(0, coefficient)
    return sympy.Mul(*factors, evaluate=False)


def _ordered_sum(factor: sympy.Expr, choose: ChooseFactors) -> sympy.Expr:
    """The factor; the terms of a sum and their factors are in the order of display."""
    if not factor.is_Add:
        return factor
    return sympy.Add(*(_in_order(each, choose) for each in summands(factor)), evaluate=False)


def _display_order(factor: sympy.Expr) -> tuple[bool, tuple[int, int, str]]:
    """Sort key of a factor, which may be a power."""
    return (factor.is_Add, factor_order(str(factor.as_base_exp()[0])))
