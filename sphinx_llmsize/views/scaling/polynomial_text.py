"""Polynomials in running text: ``L·(2D·H·d_h + 3D·F)``, ``386D² + 64,065D``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import sympy

from sphinx_llmsize.algebra import ONE, Size, Sum, Symbol, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Inline, Line
from sphinx_llmsize.config.symbols import Length, factor_order
from sphinx_llmsize.formats import decimal, has_exact_decimal, superscript, thousands, trimmed
from sphinx_llmsize.views.shared.norm_vectors import norm_vectors
from sphinx_llmsize.views.shared.occurrences import occurrences
from sphinx_llmsize.views.shared.symbolic import VARIABLE, summands, sympy_symbol, to_sympy
from sphinx_llmsize.views.shared.wording import joined, separated, size_line, variable

MAX_PLACES = 4
"""Decimal places within which a coefficient is shown in full, however large it is."""
SizesByLayers = dict[Size, sympy.Expr]
"""Size of what equally many layers have, by the number of layers."""
Order = dict[sympy.Symbol, Symbol]
"""Symbols by their sympy symbols, in the order in which products show them."""


def parameters_line(placed_stages: Iterable[PlacedStage], architecture: Architecture) -> Line:
    """A formula for the parameters of whole groups of stages; same layers share a bracket.

    The norms, if they are among them, are vectors of the whole model: ``(2L + 1)·D``, as in the
    table and in the derivation.
    """
    by_layers: SizesByLayers = {}
    has_norms = False
    for each in occurrences(placed_stages, architecture):
        if each.stage.group is Group.NORMS:
            has_norms = True
            continue
        size = to_sympy(each.stage.parameters)
        by_layers[each.layers] = by_layers.get(each.layers, sympy.Integer(0)) + size
    lines = _products(by_layers, architecture)
    if has_norms:
        vectors = norm_vectors(architecture)
        lines += [size_line(product(each.count, *each.shape)) for each in vectors]
    return separated(lines, " + ")


def output_elements_line(architecture: Architecture) -> Line:
    """``L·(4H·d_h + 4D + F) + 2D + V``: elements per token in the outputs of all steps.

    It is empty if there is no such formula.
    """
    by_layers = output_elements_by_layers(architecture)
    if by_layers is None:
        return ()
    layers_first = dict(sorted(by_layers.items(), key=lambda item: item[0] == ONE))
    return separated(_products(layers_first, architecture), " + ")


def output_elements_by_layers(architecture: Architecture) -> SizesByLayers | None:
    """Elements per token in the outputs of all steps, as one size for each number of layers.

    None if a step's output isn't a vector for each token, or layers are applied several times.
    """
    by_layers: SizesByLayers = {}
    for each in occurrences(architecture.placed_stages(), architecture):
        lengths = [size for size in each.stage.output if isinstance(size, Length)]
        if [length.equals_tokens for length in lengths] != [True]:
            return None
        if any(stack.uses != stack.layers for stack in each.stacks):
            return None
        vector = to_sympy(product(*(size for size in each.stage.output if size not in lengths)))
        by_layers[each.layers] = by_layers.get(each.layers, sympy.Integer(0)) + vector
    return by_layers


def _products(by_layers: SizesByLayers, architecture: Architecture) -> list[Line]:
    """A product with its number of layers for each size that isn't 0."""
    symbols = sorted(architecture.sizes, key=lambda symbol: factor_order(symbol.name))
    order = {sympy_symbol(symbol): symbol for symbol in symbols}
    return [_product(layers, size, order) for layers, size in by_layers.items() if size != 0]


def _product(layers: Size, size: sympy.Expr, order: Order) -> Line:
    """``L·(2D·H·d_h + 3D·F)``; ``L·D·F`` for a size of one term."""
    if layers == ONE or not size.is_Add:
        return joined(_sum(size * to_sympy(layers), order))
    line = size_line(layers)
    factor = ("(", *line, ")") if isinstance(layers, Sum) else line
    return joined((*factor, "·(", *_sum(size, order), ")"))


def polynomial_line(polynomial: sympy.Poly, x: Symbol) -> Line:
    """``386D² + 64,065D``, ``201,326,592L − 4,096``."""
    return joined(_sum(polynomial.as_expr(), {VARIABLE: x}))


def power_line(symbol: Symbol, power: int) -> Line:
    """``D²``; ``D`` for a power of 1."""
    return (variable(symbol), superscript(power)) if power > 1 else (variable(symbol),)


def coefficient(value: Fraction) -> str:
    """A number in a product: ``64,065``, ``134,474.75``, ``(2/7)``."""
    text = exact_text(value)
    return f"({text})" if "/" in text else text


def exact_text(value: Fraction) -> str:
    """``64,065``, ``134,474.75``, or ``2/7`` if no short decimal is exact."""
    if (value * 10**MAX_PLACES).denominator == 1:
        return trimmed(value, MAX_PLACES)
    if has_exact_decimal(value):
        return decimal(value)
    return f"{thousands(value.numerator)}/{thousands(value.denominator)}"


def _sum(expression: sympy.Expr, order: Order) -> Iterator[Inline]:
    """``2D² − 5D/3``: the terms of an expanded sum with their signs."""
    for position, term in enumerate(summands(expression)):
        number, _others = term.as_coeff_Mul()
        powers = term.as_powers_dict()
        sign = "−" if number < 0 else "+"
        if position:
            yield f" {sign} "
        elif number < 0:
            yield sign
        factors = [power_line(order[s], int(powers[s])) for s in order if s in powers]
        value = abs(Fraction(int(number.p), int(number.q)))
        if value.numerator == 1 and factors:  # D, or D/3
            divisor = thousands(value.denominator)
        else:
            dividend, _slash, divisor = exact_text(value).partition("/")
            yield dividend
        yield from separated(factors, "·")
        if divisor not in {"", "1"}:
            yield f"/{divisor}"
