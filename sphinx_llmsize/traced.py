"""Numbers that know how they were computed, so that a page can compute them again.

A :class:`Traced` number is exact and behaves like an int or a Fraction. Its arithmetic also builds
an expression in a :class:`Trace`. A comparison, which may decide what a page says, is recorded with
its result as a condition. A number whose value is taken without arithmetic, as by ``int()``, is
recorded as a condition too, that it equals this value. So all that was computed from the numbers is
right for other values of the variables, as long as the conditions hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import wraps
from numbers import Rational
from typing import Any, TypeVar, Union

from sphinx_llmsize.marks import marked, plain

Exact = Union[int, Fraction]
"""An exact number."""
Condition = tuple[str, int, int]
"""A comparison, ``==`` or ``<``, and the nodes that it compares."""
_FORMS = {"": "plain", ",": "thousands"}
"""Names of the formats of whole numbers in f-strings; that of others is ``decimals``."""
Function = TypeVar("Function", bound=Callable[..., Any])
OPERATORS: Mapping[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: Fraction(a) / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "^": lambda a, b: a**b,
    "ceil": math.ceil,
    "round": round,
    "six": lambda a: _rounded(Fraction(a), digits=6),
    "top": lambda a: Fraction(a).numerator,
    "bottom": lambda a: Fraction(a).denominator,
    "at": lambda a, first, *values: values[a - first] if 0 <= a - first < len(values) else None,
    "==": lambda a, b: a == b,
    "<": lambda a, b: a < b,
}
"""Functions of the operators in expressions; the last two are for conditions.

The operator ``at`` looks a number up in a list, whose first one is for the second operand.
"""


class Trace:
    """Expressions, each stored once, the texts that show them, and recorded conditions.

    Attributes:
        nodes: expressions in an order in which they can be computed: a number, the name of a
            variable, or an operator and the positions of its operands.
        texts: a format, the positions of the numbers that it shows, and its other arguments.
        conditions: the recorded comparisons with their results, while :meth:`recording`.
    """

    def __init__(self) -> None:
        self.nodes: list[tuple[Any, ...]] = []
        self.texts: list[tuple[Any, ...]] = []
        self.conditions: dict[Condition, bool] = {}
        self._positions: dict[tuple[Any, ...], int] = {}
        self._text_positions: dict[tuple[Any, ...], int] = {}

    def variable(self, name: str, value: int) -> Traced:
        """A variable with its current value."""
        return Traced(self, self.node(("=", name)), value)

    def node(self, content: tuple[Any, ...]) -> int:
        """Position of an expression."""
        return _position(content, self.nodes, self._positions)

    def constant(self, value: Exact) -> int:
        """Position of a number."""
        top = self.node((value.numerator,))
        if value.denominator == 1:
            return top
        return self.node(("/", top, self.node((value.denominator,))))

    def table(self, number: Traced, values: Mapping[int, int]) -> Any:
        """The entry for a traced number in a table, which has one for each number in a range."""
        offsets = {value - key for key, value in values.items()}
        if len(offsets) == 1:
            return number + offsets.pop()
        if len(set(values.values())) == 1:
            return values[number.value]  # type: ignore[index]
        operands = (number, min(values), *(values[key] for key in sorted(values)))
        return number._made("at", *operands)  # noqa: SLF001 - of this module

    def of(self, number: object) -> int:
        """Position of the expression of a number, traced or not."""
        if isinstance(number, Traced):
            return number.node
        assert isinstance(number, (int, float, Fraction))
        return self.constant(number if isinstance(number, int) else Fraction(number))

    def text(self, shown: str, form: str, numbers: Sequence[object], *others: object) -> str:
        """A text that shows numbers in a format, marked with the position of both."""
        content = (form, tuple(map(self.of, numbers)), *others)
        return marked(plain(shown), _position(content, self.texts, self._text_positions))

    @contextmanager
    def recording(self) -> Iterator[dict[Condition, bool]]:
        """Record the conditions within a block of code."""
        before, self.conditions = self.conditions, {}
        try:
            yield self.conditions
        finally:
            self.conditions = before


def _position(
    content: tuple[Any, ...], of: list[tuple[Any, ...]], positions: dict[tuple[Any, ...], int]
) -> int:
    """Position of a tuple in a list, to which it is added if it is new."""
    if content not in positions:
        positions[content] = len(of)
        of.append(content)
    return positions[content]


class Traced(Rational):
    """An exact number with its expression.

    Attributes:
        trace: the trace of which it is a part.
        node: position of its expression.
        value: its current value.
    """

    __slots__ = ("node", "trace", "value")

    def __init__(self, trace: Trace, node: int, value: Exact) -> None:
        self.trace, self.node, self.value = trace, node, value

    def _made(self, operator: str, *operands: object) -> Any:
        if not all(isinstance(each, (int, float, Fraction, Traced)) for each in operands):
            return NotImplemented
        values = [each.value if isinstance(each, Traced) else each for each in operands]
        value = OPERATORS[operator](*map(_exact, values))
        nodes = (self.trace.of(each) for each in operands)
        return Traced(self.trace, self.trace.node((operator, *nodes)), value)

    def _compared(self, operator: str, one: object, other: object) -> bool:
        nodes = (self.trace.of(one), self.trace.of(other))
        values = [each.value if isinstance(each, Traced) else each for each in (one, other)]
        result = bool(OPERATORS[operator](*values))
        if nodes[0] != nodes[1]:
            self.trace.conditions[(operator, *nodes)] = result
        return result

    def _pinned(self) -> Exact:
        """The value, after recording that the number equals it."""
        self._compared("==", self, self.value)
        return self.value

    @property
    def numerator(self) -> Any:
        """The numerator in lowest terms."""
        return self._made("top", self)

    @property
    def denominator(self) -> Any:
        """The denominator in lowest terms."""
        return self._made("bottom", self)

    def __add__(self, other: object) -> Any:
        return self if _is(other, 0) else self._made("+", self, other)

    def __radd__(self, other: object) -> Any:
        return self if _is(other, 0) else self._made("+", other, self)

    def __sub__(self, other: object) -> Any:
        return self._made("-", self, other)

    def __rsub__(self, other: object) -> Any:
        return self._made("-", other, self)

    def __mul__(self, other: object) -> Any:
        if _is(other, 0):
            return 0
        return self if _is(other, 1) else self._made("*", self, other)

    def __rmul__(self, other: object) -> Any:
        if _is(other, 0):
            return 0
        return self if _is(other, 1) else self._made("*", other, self)

    def __truediv__(self, other: object) -> Any:
        return self if _is(other, 1) else self._made("/", self, other)

    def __rtruediv__(self, other: object) -> Any:
        return self._made("/", other, self)

    def __floordiv__(self, other: object) -> Any:
        return self._made("//", self, other)

    def __rfloordiv__(self, other: object) -> Any:
        return self._made("//", other, self)

    def __mod__(self, other: object) -> Any:
        return self._made("%", self, other)

    def __rmod__(self, other: object) -> Any:
        return self._made("%", other, self)

    def __pow__(self, other: object, modulus: object = None) -> Any:
        return self._made("^", self, other)

    def __rpow__(self, other: object, modulus: object = None) -> Any:
        return other ** self._pinned()  # type: ignore[operator]

    def __neg__(self) -> Any:
        return self._made("*", self, -1)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __ceil__(self) -> Any:
        return self._made("ceil", self)

    def __floor__(self) -> Any:
        return self._made("//", self, 1)

    def __trunc__(self) -> int:
        return int(self._pinned())

    def __int__(self) -> int:
        return int(self._pinned())

    def __index__(self) -> int:
        return int(self._pinned())

    def __float__(self) -> float:
        return float(self._pinned())

    def __round__(self, digits: int | None = None) -> Any:
        assert digits is None
        return self._made("round", self)

    def __bool__(self) -> bool:
        return not self._compared("==", self, 0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (int, float, Fraction, Traced)):
            return False
        return self._compared("==", self, other)

    def __hash__(self) -> int:
        return hash(self._pinned())

    def __lt__(self, other: object) -> bool:
        return self._compared("<", self, other)

    def __gt__(self, other: object) -> bool:
        return self._compared("<", other, self)

    def __le__(self, other: object) -> bool:
        return not self._compared("<", other, self)

    def __ge__(self, other: object) -> bool:
        return not self._compared("<", self, other)

    def __str__(self) -> str:
        return self.trace.text(str(self.value), "plain", (self,))

    __repr__ = __str__

    def __format__(self, form: str) -> str:
        whole = form in _FORMS
        shown = format(self.value if whole else float(self.value), form)
        return self.trace.text(shown, _FORMS.get(form, "decimals"), (self,))


def _is(number: object, value: int) -> bool:
    """True for an untraced number with this value."""
    return isinstance(number, (int, float, Fraction)) and number == value


def _exact(value: Any) -> Exact:
    return value if isinstance(value, int) else Fraction(value)


def evaluate(nodes: Sequence[tuple[Any, ...]], values: Mapping[str, int]) -> list[Exact | None]:
    """The value of each expression; None for one that divides by zero."""
    found: list[Exact | None] = []
    for head, *operands in nodes:
        if head == "=":
            found.append(values[operands[0]])
        elif not operands:
            found.append(head)
        else:
            numbers = [found[operand] for operand in operands]
            try:
                found.append(None if None in numbers else OPERATORS[head](*numbers))
            except ZeroDivisionError:
                found.append(None)
    return found


def six_digits(number: Any) -> Any:
    """The number rounded to six significant digits, exactly."""
    if isinstance(number, Traced):
        return number._made("six", number)  # noqa: SLF001 - of this module
    return _rounded(Fraction(number), digits=6)


def _rounded(number: Fraction, digits: int) -> Fraction:
    """The number rounded to significant digits, halves to even."""
    if not number:
        return number
    power = Fraction(1)
    while abs(number) * power >= 10**digits:
        power /= 10
    while abs(number) * power < 10 ** (digits - 1):
        power *= 10
    return round(number * power) / power


def quotient(number: Any, divisor: Any) -> Any:
    """The exact quotient, as a Fraction or traced."""
    if isinstance(number, Traced) or isinstance(divisor, Traced):
        return number / divisor
    return Fraction(number, divisor)


def is_whole(value: object) -> bool:
    """True for an int, also a traced one."""
    return isinstance(value.value if isinstance(value, Traced) else value, int)


def untraced(value: Any) -> Any:
    """The value of a traced number, without recording that it was read; others as they are."""
    return value.value if isinstance(value, Traced) else value


def traceable(function: Function) -> Function:
    """Let a function that formats a number mark its text if the number is traced.

    The first argument is a number, or a sequence of numbers, for each of which it returns a text.
    Other arguments are part of the format.
    """
    form = function.__name__

    @wraps(function)
    def formatted(number: Any, *others: Any) -> Any:
        if isinstance(number, Traced):
            shown = function(number.value, *others)
            return number.trace.text(shown, form, (number,), *others)
        if isinstance(number, Sequence) and (of := _first_traced(number)):
            shown = function([untraced(each) for each in number], *others)
            return [
                of.trace.text(text, form, number, position, *others)
                for position, text in enumerate(shown)
            ]
        return function(number, *others)

    return formatted  # type: ignore[return-value]


def text_of(function: Callable[[Sequence[Any]], str], numbers: Sequence[Any]) -> str:
    """The text that a function writes for several numbers, marked if one of them is traced."""
    shown = function([untraced(each) for each in numbers])
    of = _first_traced(numbers)
    return of.trace.text(shown, function.__name__, numbers) if of else shown


def _first_traced(numbers: Sequence[object]) -> Traced | None:
    return next((each for each in numbers if isinstance(each, Traced)), None)
