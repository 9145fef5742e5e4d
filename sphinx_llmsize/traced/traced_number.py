"""Exact numbers with their expressions."""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational
from typing import Any

from sphinx_llmsize.traced.trace import Trace
from sphinx_llmsize.traced.traced_operators import OPERATORS, Exact

_FORMS = {"": "plain", ",": "thousands"}
"""Names of the formats ``{number}`` and ``{number:,}``; any other is named ``decimals``."""


class Traced(Rational):
    """An exact number with its expression.

    Attributes:
        trace: the trace of which it is a part.
        position: position of its expression in :attr:`Trace.nodes`.
        value: its current value.
    """

    __slots__ = ("position", "trace", "value")

    def __init__(self, trace: Trace, position: int, value: Exact) -> None:
        self.trace, self.position, self.value = trace, position, value

    def apply(self, operator: str, *operands: object) -> Any:
        """Apply an operator to operands, in their order; this number may be any of them.

        Returns:
            A traced number; NotImplemented if an operand isn't a number.
        """
        if not all(isinstance(each, (int, float, Fraction, Traced)) for each in operands):
            return NotImplemented
        values = [each.value if isinstance(each, Traced) else each for each in operands]
        value = OPERATORS[operator](*map(_exact, values))
        nodes = (self.trace.position_of(each) for each in operands)
        return Traced(self.trace, self.trace.add_expression((operator, *nodes)), value)

    def _compare(self, operator: str, one: object, other: object) -> bool:
        """Compare two numbers, one of which is this one, and record the result as a condition."""
        position, other_position = self.trace.position_of(one), self.trace.position_of(other)
        values = [each.value if isinstance(each, Traced) else each for each in (one, other)]
        result = bool(OPERATORS[operator](*values))
        if position != other_position:
            self.trace.conditions[operator, position, other_position] = result
        return result

    def _recorded_value(self) -> Exact:
        """The value, after recording that the number equals it."""
        self._compare("==", self, self.value)
        return self.value

    @property
    def numerator(self) -> Any:
        """The numerator in lowest terms."""
        return self.apply("top", self)

    @property
    def denominator(self) -> Any:
        """The denominator in lowest terms."""
        return self.apply("bottom", self)

    def __add__(self, other: object) -> Any:
        return self if _equals_constant(other, 0) else self.apply("+", self, other)

    def __radd__(self, other: object) -> Any:
        return self if _equals_constant(other, 0) else self.apply("+", other, self)

    def __sub__(self, other: object) -> Any:
        return self.apply("-", self, other)

    def __rsub__(self, other: object) -> Any:
        return self.apply("-", other, self)

    def __mul__(self, other: object) -> Any:
        if _equals_constant(other, 0):
            return 0
        return self if _equals_constant(other, 1) else self.apply("*", self, other)

    def __rmul__(self, other: object) -> Any:
        if _equals_constant(other, 0):
            return 0
        return self if _equals_constant(other, 1) else self.apply("*", other, self)

    def __truediv__(self, other: object) -> Any:
        return self if _equals_constant(other, 1) else self.apply("/", self, other)

    def __rtruediv__(self, other: object) -> Any:
        return self.apply("/", other, self)

    def __floordiv__(self, other: object) -> Any:
        return self.apply("//", self, other)

    def __rfloordiv__(self, other: object) -> Any:
        return self.apply("//", other, self)

    def __mod__(self, other: object) -> Any:
        return self.apply("%", self, other)

    def __rmod__(self, other: object) -> Any:
        return self.apply("%", other, self)

    def __pow__(self, other: object, modulus: object = None) -> Any:
        return self.apply("^", self, other)

    def __rpow__(self, other: object, modulus: object = None) -> Any:
        return other ** self._recorded_value()  # type: ignore[operator]

    def __neg__(self) -> Any:
        return self.apply("*", self, -1)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __ceil__(self) -> Any:
        return self.apply("ceil", self)

    def __floor__(self) -> Any:
        return self.apply("//", self, 1)

    def digits(self) -> Traced:
        """Number of characters of a whole number in decimal notation."""
        number: Traced = self.apply("digits", self)
        return number

    def __trunc__(self) -> int:
        return int(self._recorded_value())

    def __int__(self) -> int:
        return int(self._recorded_value())

    def __index__(self) -> int:
        return int(self._recorded_value())

    def __float__(self) -> float:
        return float(self._recorded_value())

    def __round__(self, digits: int | None = None) -> Any:
        raise TypeError("round() takes halves to even: use nearest()")

    def __bool__(self) -> bool:
        return not self._compare("==", self, 0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (int, float, Fraction, Traced)):
            return False
        return self._compare("==", self, other)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self._recorded_value())

    def __lt__(self, other: object) -> bool:
        return self._compare("<", self, other)

    def __gt__(self, other: object) -> bool:
        return self._compare("<", other, self)

    def __le__(self, other: object) -> bool:
        return not self._compare("<", other, self)

    def __ge__(self, other: object) -> bool:
        return not self._compare("<", self, other)

    def __str__(self) -> str:
        return self.trace.text(str(self.value), "plain", (self,))

    __repr__ = __str__

    def __format__(self, form: str) -> str:
        if form in _FORMS:
            return self.trace.text(format(self.value, form), _FORMS[form], (self,))
        return self.trace.text(format(float(self.value), form), "decimals", (self,))


def _equals_constant(number: object, value: int) -> bool:
    """True for an untraced number with this value."""
    return isinstance(number, (int, float, Fraction)) and number == value


def _exact(value: Any) -> Exact:
    """The number as an int or a Fraction; of a float, the decimal number that is shown for it."""
    return value if isinstance(value, int) else Fraction(str(value))
