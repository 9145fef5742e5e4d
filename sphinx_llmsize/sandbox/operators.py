"""Arithmetic and comparison: exact, and only on numbers that stay small enough."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

from jinja2 import nodes

from sphinx_llmsize.sandbox.bounds import (
    CHARACTERS_A_STEP,
    MAX_BITS,
    Budget,
    fitting,
    too_large,
    wrong,
)
from sphinx_llmsize.sandbox.values import (
    Counts,
    List,
    Value,
    exact,
    kind,
    list_of,
    number_of,
    text_of,
)
from sphinx_llmsize.translation import _

Number = int | Fraction


def _power(base: Number, exponent: Number) -> Number:
    """A power; of a root, which is not exact, as many digits as a float has."""
    if isinstance(exponent, Fraction):
        root = float(base) ** float(exponent)
        if isinstance(root, complex):
            raise wrong(_("an even root of a negative number"))
        return exact(root)
    bits = max(abs(base.numerator).bit_length(), base.denominator.bit_length())
    # a number of n bits is at least 2 to the n - 1
    if (bits - 1) * abs(exponent) > MAX_BITS:
        raise too_large()
    # in Python a whole number to a negative power is a float
    return Fraction(base) ** exponent


_ARITHMETIC: Mapping[type[nodes.BinExpr], tuple[str, Callable[[Number, Number], Number]]] = {
    nodes.Add: ("+", operator.add),
    nodes.Sub: ("-", operator.sub),
    nodes.Mul: ("*", operator.mul),
    nodes.Div: ("/", Fraction),
    nodes.FloorDiv: ("//", operator.floordiv),
    nodes.Mod: ("%", operator.mod),
    nodes.Pow: ("**", _power),
}
ARITHMETIC = tuple(_ARITHMETIC)
"""The nodes of which :func:`computed` knows the value."""
_ORDER: Mapping[str, Callable[[Number, Number], bool]] = {
    "lt": operator.lt,
    "lteq": operator.le,
    "gt": operator.gt,
    "gteq": operator.ge,
}


def computed(node: type[nodes.BinExpr], left: Value, right: Value) -> Value:
    """What arithmetic makes of two numbers.

    Raises:
        ConfigError: they are no numbers, it divides by zero, or it is too large.
    """
    sign, compute = _ARITHMETIC[node]
    for side in (left, right):
        if isinstance(side, str) and sign in "+%":
            hint = (
                _("put texts together with ~")
                if sign == "+"
                else _("use a filter, such as round(2)")
            )
            raise wrong(_("{sign} is for numbers", sign=sign), hint)
    numbers = number_of(left, sign), number_of(right, sign)
    try:
        return fitting(compute(*numbers))
    except ZeroDivisionError:
        raise wrong(_("a division by zero")) from None
    except OverflowError:
        raise too_large() from None


def compared(sign: str, left: Value, right: Value, budget: Budget) -> bool:
    """Whether a comparison holds; ``sign`` is Jinja's word for it.

    Raises:
        ConfigError: the two cannot be compared.
    """
    if sign in ("in", "notin"):
        return _contains(right, left, budget) == (sign == "in")
    if sign in ("eq", "ne"):
        return _equal(left, right, budget) == (sign == "eq")
    if isinstance(left, str) and isinstance(right, str):
        raise wrong(_("texts have no order"))
    return _ORDER[sign](number_of(left, _("a comparison")), number_of(right, _("a comparison")))


def _equal(left: Value, right: Value, budget: Budget) -> bool:
    for side in (left, right):
        if side is not None and not isinstance(side, (str, int, Fraction)):
            raise wrong(
                _("{kind} cannot be compared", kind=_(kind(side))), _("compare what of it you mean")
            )
    if isinstance(left, str) and isinstance(right, str):
        budget.step(min(len(left), len(right)) // CHARACTERS_A_STEP)
    return type(left) is type(right) and left == right


def _contains(whole: Value, part: Value, budget: Budget) -> bool:
    if isinstance(whole, str):
        text = text_of(part, _("what is looked for in a text"))
        budget.step((len(whole) + len(text)) // CHARACTERS_A_STEP)
        return text in whole
    if isinstance(whole, Counts):
        return isinstance(part, str) and part in whole.counts
    items: List = list_of(whole)
    if isinstance(items, range):
        return type(part) is int and part in items
    budget.step(len(items))
    return any(_equal(item, part, budget) for item in items)
