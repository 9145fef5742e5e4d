"""Operators of expressions, and evaluation of expressions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Union

Exact = Union[int, Fraction]
"""An exact number."""
Expression = tuple[Any, ...]
"""A number ``(7,)``, a variable ``("=", "D")``, or an operator and its operands ``("*", 0, 1)``.

Operands are positions of other expressions in the trace.
"""


def half_up(number: Exact) -> int:
    """The nearest whole number; halves are rounded away from zero: 446.5 to 447."""
    exact = Fraction(number)
    size = math.floor(abs(exact) + Fraction(1, 2))
    return size if exact >= 0 else -size


def _entry_at(number: int, first: int, *values: Exact) -> Exact | None:
    """Value for a number in a table whose first value is for ``first``; None outside the table."""
    position = number - first
    return values[position] if 0 <= position < len(values) else None


OPERATORS: Mapping[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": Fraction,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "^": lambda a, b: a**b,
    "min": min,
    "ceil": math.ceil,
    "round": half_up,
    "six": lambda a: round_significant(Fraction(a), digits=6),
    "digits": lambda a: len(str(a)),
    "top": lambda a: Fraction(a).numerator,
    "bottom": lambda a: Fraction(a).denominator,
    "at": _entry_at,
    "==": lambda a, b: a == b,
    "<": lambda a, b: a < b,
}
"""Functions of the operators in expressions; the last two are for conditions.

``six`` rounds to six significant digits, ``digits`` counts the characters of a whole number,
``top`` and ``bottom`` are numerator and denominator, and ``at`` looks up a number in a table.
"""


def evaluate(nodes: Sequence[Expression], values: Mapping[str, int]) -> list[Exact | None]:
    """Evaluate expressions.

    Args:
        nodes: the expressions, each after its operands.
        values: value of each variable.

    Returns:
        The value of each expression; None if it divides by zero, a variable has no value, a table
        has no entry, or an operand is None.
    """
    results: list[Exact | None] = []
    for head, *operands in nodes:
        if head == "=":
            results.append(values.get(operands[0]))
        elif not operands:
            results.append(head)
        else:
            numbers = [results[operand] for operand in operands]
            try:
                results.append(None if None in numbers else OPERATORS[head](*numbers))
            except ZeroDivisionError:
                results.append(None)
    return results


def round_significant(number: Fraction, digits: int) -> Fraction:
    """The number, rounded to this many significant digits."""
    if not number:
        return number
    power = Fraction(1)
    while abs(number) * power >= 10**digits:
        power /= 10
    while abs(number) * power < 10 ** (digits - 1):
        power *= 10
    return half_up(number * power) / power
