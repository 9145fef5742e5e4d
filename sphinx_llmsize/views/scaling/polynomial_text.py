"""Polynomials in running text: ``386 D² + 64,065 D``."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.blocks import Inline, Line
from sphinx_llmsize.formats import decimal, has_exact_decimal, superscript, thousands, trimmed
from sphinx_llmsize.views.shared.symbolic import VARIABLE, summands
from sphinx_llmsize.views.shared.wording import formula_line, variable

MAX_PLACES = 4
"""Decimal places within which a coefficient is shown in full, however large it is."""


def polynomial_line(polynomial: sympy.Poly, x: Symbol, times: str = "") -> Line:
    """``386D² + 64,065D``, ``201,326,592L − 4,096``, ``976D²/7``.

    Args:
        polynomial: the polynomial.
        x: symbol of its variable.
        times: text between a number and the variable.
    """
    return formula_line(_sum(polynomial, x, times))


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


def _sum(polynomial: sympy.Poly, x: Symbol, times: str) -> Iterator[Inline]:
    """The terms with their signs, the highest power first."""
    for position, term in enumerate(summands(polynomial.as_expr())):
        number, _others = term.as_coeff_Mul()
        power = int(term.as_powers_dict()[VARIABLE])
        sign = "−" if number < 0 else "+"
        if position:
            yield f" {sign} "
        elif number < 0:
            yield sign
        value = abs(Fraction(int(number.p), int(number.q)))
        if value.numerator == 1 and power:  # D, or D/3
            divisor = thousands(value.denominator)
        else:
            dividend, _slash, divisor = exact_text(value).partition("/")
            yield f"{dividend}{times}" if power else dividend
        if power:
            yield variable(x)
        if power > 1:
            yield superscript(power)
        if divisor not in {"", "1"}:
            yield f"/{divisor}"
