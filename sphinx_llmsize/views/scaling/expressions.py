"""Sums of products in running text: ``L·(2·D·H·d_h + 3·D·F)``, ``386·D² + 64,065·D``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import sympy

from sphinx_llmsize.algebra import ONE, Size, Sum, Symbol
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.blocks import Inline, Line
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.formats import decimal, has_exact_decimal, thousands
from sphinx_llmsize.views.scaling.growth import Polynomial
from sphinx_llmsize.views.shared.occurrences import occurrences
from sphinx_llmsize.views.shared.symbolic import summands, sympy_symbol, to_sympy
from sphinx_llmsize.views.shared.wording import joined, size_line, variable

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def parameters_line(places: Iterable[PlacedStage], architecture: Architecture) -> Line:
    """The parameters of these stages, those of the same layers together."""
    # how many layers there are comes first, as in L·D·F
    symbols = sorted(architecture.sizes, key=lambda symbol: symbol.name.partition("_")[0] != L.name)
    order = {sympy_symbol(symbol): symbol for symbol in symbols}
    together: dict[Size, list[sympy.Expr]] = {}
    for occurrence in occurrences(places, architecture):
        together.setdefault(occurrence.layers, []).append(to_sympy(occurrence.stage.parameters))
    terms: list[tuple[Inline, ...]] = []
    for layers, sizes in together.items():
        whole = sympy.Add(*sizes)
        if layers == ONE:
            terms.append(_sum(whole, order))
        elif len(sympy.Add.make_args(whole)) == 1:
            terms.append(_sum(whole * to_sympy(layers), order))
        else:
            terms.append((*_factor(layers), "·(", *_sum(whole, order), ")"))
    return joined(_plus(filter(None, terms)))


def polynomial_line(polynomial: Polynomial, x: Symbol) -> Line:
    """``386·D² + 64,065·D``, ``201,326,592·L − 4,096``."""
    pieces: list[Inline] = []
    for power, each in polynomial.terms:
        sign = "−" if each < 0 else "+"
        if pieces or each < 0:
            pieces.append(f" {sign} " if pieces else sign)
        pieces += (*_times(abs(each), power), *power_line(x, power))
    return joined(pieces) or ("0",)


def ratio_line(symbol: Symbol, ratio: Fraction, x: Symbol) -> Line:
    """``F = 2.6875·D``, ``H = D/128``."""
    if ratio.numerator == 1:
        below = f"/{thousands(ratio.denominator)}" if ratio != 1 else ""
        return joined((variable(symbol), " = ", variable(x), below))
    return (variable(symbol), f" = {coefficient(ratio)}·", variable(x))


def power_line(symbol: Symbol, power: int) -> Line:
    """``D²``; nothing for the power of 0."""
    if power == 0:
        return ()
    above = str(power).translate(SUPERSCRIPTS) if power > 1 else ""
    return (variable(symbol), *((above,) if above else ()))


def coefficient(value: Fraction) -> str:
    """``64,065``, ``2.6875``, or ``2/7`` where six digits are not exact."""
    if value.denominator == 1:
        return thousands(value.numerator)
    if has_exact_decimal(value):
        return f"{thousands(int(value))}{decimal(value % 1)[1:]}" if value > 1 else decimal(value)
    return f"{thousands(value.numerator)}/{thousands(value.denominator)}"


def _factor(layers: Size) -> Line:
    line = size_line(layers)
    return ("(", *line, ")") if isinstance(layers, Sum) else line


def _sum(expression: sympy.Expr, order: dict[sympy.Symbol, Symbol]) -> tuple[Inline, ...]:
    terms = (tuple(_product(term, order)) for term in summands(expression) if term != 0)
    return tuple(_plus(terms))


def _product(term: sympy.Expr, order: dict[sympy.Symbol, Symbol]) -> Iterator[Inline]:
    """``2·D·H·d_h``: the number first, then symbols in the order in which models are described."""
    number, _ = term.as_coeff_Mul()
    powers = term.as_powers_dict()
    found = [(order[symbol], int(powers[symbol])) for symbol in order if symbol in powers]
    if number != 1 or not found:
        yield thousands(int(number))
    for position, (symbol, power) in enumerate(found):
        if position or number != 1:
            yield "·"
        yield from power_line(symbol, power)


def _times(number: Fraction, power: int) -> tuple[Inline, ...]:
    if not power:
        return (coefficient(number),)
    return () if number == 1 else (coefficient(number), "·")


def _plus(terms: Iterable[tuple[Inline, ...]]) -> Iterator[Inline]:
    for position, term in enumerate(terms):
        if position:
            yield " + "
        yield from term
