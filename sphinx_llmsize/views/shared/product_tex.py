"""TeX of products, in pieces between which a line may break."""

from __future__ import annotations

from collections.abc import Callable

import sympy

from sphinx_llmsize.blocks import Tex
from sphinx_llmsize.marks import without_marks
from sphinx_llmsize.views.shared.typeset import number

TIMES, SPACE = r" \times ", r" \, "
"""Signs between factors: numbers and symbols."""
DOT = r" \cdot "
"""Sign before a number among symbols."""
Factors = tuple[sympy.Expr, ...]
"""Factors of a product in the order in which they are shown."""


def product_tex(factors: Factors, write: Callable[[sympy.Expr], Tex], times: str) -> Tex:
    """TeX of a product, in pieces between which a line may break; sums are in parentheses.

    A line may break before the last factor unless it is a single symbol or number, and between its
    terms if it is a sum. If the last factor is itself a product with a sum in parentheses, a line
    may only break before these.

    Args:
        factors: the factors; factors of 1 are left out.
        write: function that returns the TeX of a factor, in pieces of one term.
        times: sign between factors.
    """
    *before, last = [size for size in factors if size != 1] or [sympy.Integer(1)]
    first_term, *other_terms = write(last)
    if not before:
        return (first_term, *other_terms)
    if other_terms:
        first_term = f"({first_term}"
        other_terms[-1] = f"{other_terms[-1]})"
    product = ""
    for size in before:
        tex = "".join(write(size))
        if size.is_Add:
            tex = f"({tex})"
        product += _sign(times, tex) + tex if product else tex
    first_term = _sign(times, first_term) + first_term
    if last.is_Atom:
        return (product + first_term, *other_terms)
    if not other_terms:
        factors_before, parenthesis, terms = first_term.rpartition(f"{times}(")
        if parenthesis:
            return (product + factors_before, parenthesis + terms)
    return (product, first_term, *other_terms)


def repeats(numbers: Tex, count: int) -> bool:
    """True if a product in numbers is only its result."""
    return tuple(map(without_marks, numbers)) == (without_marks(number(count)),)


def _sign(times: str, factor: str) -> str:
    """The sign before a factor; two numbers side by side would read as one."""
    return DOT if times == SPACE and without_marks(factor)[0].isdigit() else times
