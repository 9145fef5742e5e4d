"""Factors of a product in numbers, where they differ from those in symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy


def number_factors(
    factors: Sequence[sympy.Expr],
    values: Mapping[sympy.Symbol, Any],
    widths: Mapping[tuple[sympy.Symbol, sympy.Symbol], sympy.Symbol],
) -> list[sympy.Expr]:
    """The factors that are written as numbers: ``3·D·F`` for ``3·E_s·D·F`` with ``E_s`` = 1.

    Symbols with the value 1 are left out, and products that are widths are one number:
    ``width·D`` for ``X·D²``.

    Args:
        factors: the factors in symbols, in their order.
        values: the value of each symbol.
        widths: a symbol for the product of an expansion factor and the dimension it expands.
    """
    powers: dict[sympy.Expr, Any] = dict(factor.as_base_exp() for factor in factors)
    for (expansion, dimension), width in widths.items():
        common = min(powers.get(expansion, 0), powers.get(dimension, 0))
        if common > 0:
            powers[expansion] -= common
            powers[dimension] -= common
            powers = _inserted(powers, before=expansion, base=width, power=common)
    return [
        base**power
        for base, power in powers.items()
        if power != 0 and not (base.is_Symbol and values[base] == 1)
    ]


def _inserted(
    powers: Mapping[sympy.Expr, Any], *, before: sympy.Symbol, base: sympy.Symbol, power: Any
) -> dict[sympy.Expr, Any]:
    """The powers with another one before that of a symbol."""
    inserted: dict[sympy.Expr, Any] = {}
    for each, its_power in powers.items():
        if each == before:
            inserted[base] = power
        inserted[each] = its_power
    return inserted
