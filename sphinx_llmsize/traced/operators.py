"""Operators of expressions, and the values of expressions in Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Union

Exact = Union[int, Fraction]
"""An exact number."""
Node = tuple[Any, ...]
"""An expression: a number, ``=`` and the name of a variable, or an operator and operands.

Operands are positions of other expressions in a list.
"""
OPERATORS: Mapping[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: Fraction(a) / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "^": lambda a, b: a**b,
    "min": min,
    "ceil": math.ceil,
    "round": round,
    "six": lambda a: rounded(Fraction(a), digits=6),
    "digits": lambda a: len(str(a)),
    "top": lambda a: Fraction(a).numerator,
    "bottom": lambda a: Fraction(a).denominator,
    "at": lambda a, first, *values: values[a - first] if 0 <= a - first < len(values) else None,
    "==": lambda a, b: a == b,
    "<": lambda a, b: a < b,
}
"""Functions of the operators in expressions; the last two are for conditions.

The operator ``at`` looks a number up in a list, whose first one is for the second operand.
"""


def evaluate(nodes: Sequence[Node], values: Mapping[str, int]) -> list[Exact | None]:
    """The value of each expression; None if it divides by zero, or a variable has no value."""
    found: list[Exact | None] = []
    for head, *operands in nodes:
        if head == "=":
            found.append(values.get(operands[0]))
        elif not operands:
            found.append(head)
        else:
            numbers = [found[operand] for operand in operands]
            try:
                found.append(None if None in numbers else OPERATORS[head](*numbers))
            except ZeroDivisionError:
                found.append(None)
    return found


def rounded(number: Fraction, digits: int) -> Fraction:
    """The number rounded to significant digits, halves to even."""
    if not number:
        return number
    power = Fraction(1)
    while abs(number) * power >= 10**digits:
        power /= 10
    while abs(number) * power < 10 ** (digits - 1):
        power *= 10
    return round(number * power) / power
