"""Functions for numbers that may be traced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from typing import Any, TypeVar

from sphinx_llmsize.traced.trace import Trace
from sphinx_llmsize.traced.traced_number import Traced
from sphinx_llmsize.traced.traced_operators import half_up, round_significant

Function = TypeVar("Function", bound=Callable[..., Any])


def variable(trace: Trace, name: str, value: int) -> Traced:
    """A variable with its current value."""
    return Traced(trace, trace.add_expression(("=", name)), value)


def look_up(number: Traced, values: Mapping[int, int]) -> Any:
    """Look up a traced number in a table.

    Args:
        number: the number.
        values: value for each number in a range; for other numbers, the result has no value.
    """
    # a table that only adds a number, or whose values are all equal, needs no look-up
    offsets = {value - key for key, value in values.items()}
    if len(offsets) == 1:
        return number + offsets.pop()
    if len(set(values.values())) == 1:
        return values[min(values)]
    return number.apply("at", number, min(values), *(values[key] for key in sorted(values)))


def lesser(number: Any, limit: Any) -> Any:
    """The smaller of two numbers; if both are traced, their comparison becomes a condition."""
    traced = [each for each in (number, limit) if isinstance(each, Traced)]
    if len(traced) == 1:
        return traced[0].apply("min", number, limit)
    return number if number <= limit else limit


def six_digits(number: Any) -> Any:
    """The number rounded to six significant digits, exactly."""
    if isinstance(number, Traced):
        return number.apply("six", number)
    return round_significant(Fraction(number), digits=6)


def nearest(number: Any) -> Any:
    """The nearest whole number; halves are rounded away from zero, unlike by ``round()``."""
    return number.apply("round", number) if isinstance(number, Traced) else half_up(number)


def quotient(number: Any, divisor: Any) -> Any:
    """The exact quotient, as a Fraction or traced."""
    if isinstance(number, Traced) or isinstance(divisor, Traced):
        return number / divisor
    return Fraction(number, divisor)


def approximate(number: Any) -> Any:
    """The number as a float; a traced number is returned unchanged."""
    return number if isinstance(number, Traced) else float(number)


def is_whole(value: object) -> bool:
    """True for an int, traced or not; also for a bool, which is an int in Python."""
    return isinstance(untraced(value), int)


def untraced(value: Any) -> Any:
    """Value of a traced number, without recording a condition; other values unchanged."""
    return value.value if isinstance(value, Traced) else value


def traceable(function: Function) -> Function:
    """Decorator of a function that formats numbers: texts of traced numbers are marked.

    The function takes a number and returns a text, or takes a sequence of numbers and returns a
    list of texts. Other arguments are part of the format. Its name is that of the format in the
    trace and in the explorer's script.
    """
    form = function.__name__

    @wraps(function)
    def format_and_mark(number: Any, *others: Any) -> Any:
        if isinstance(number, Traced):
            text = function(number.value, *others)
            return number.trace.text(text, form, (number,), *others)
        traced = _first_traced(number) if isinstance(number, Sequence) else None
        if traced is None:
            return function(number, *others)
        texts = function([untraced(each) for each in number], *others)
        return [
            traced.trace.text(text, form, number, position, *others)
            for position, text in enumerate(texts)
        ]

    return format_and_mark  # type: ignore[return-value]


def text_of(function: Callable[[Sequence[Any]], str], numbers: Sequence[Any]) -> str:
    """The text that a function writes for several numbers, marked if one of them is traced."""
    text = function([untraced(each) for each in numbers])
    traced = _first_traced(numbers)
    if traced is None:
        return text
    return traced.trace.text(text, function.__name__, numbers)


def _first_traced(numbers: Sequence[object]) -> Traced | None:
    """The first traced number; None if all are untraced."""
    return next((each for each in numbers if isinstance(each, Traced)), None)
