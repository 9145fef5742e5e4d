"""Functions for numbers that may be traced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from typing import Any, TypeVar

from sphinx_llmsize.traced.number import Traced
from sphinx_llmsize.traced.operators import rounded
from sphinx_llmsize.traced.trace import Trace

Function = TypeVar("Function", bound=Callable[..., Any])


def variable(trace: Trace, name: str, value: int) -> Traced:
    """A variable with its current value."""
    return Traced(trace, trace.node(("=", name)), value)


def entry(number: Traced, values: Mapping[int, int]) -> Any:
    """The entry for a traced number in a table, which has one for each number in a range."""
    offsets = {value - key for key, value in values.items()}
    if len(offsets) == 1:
        return number + offsets.pop()
    if len(set(values.values())) == 1:
        return next(iter(values.values()))
    return number.made("at", number, min(values), *(values[key] for key in sorted(values)))


def lesser(number: Any, limit: Any) -> Any:
    """The smaller of two numbers; if both are traced, which one that is becomes a condition."""
    traced = [each for each in (number, limit) if isinstance(each, Traced)]
    if len(traced) == 1:
        return traced[0].made("min", number, limit)
    return number if number <= limit else limit


def six_digits(number: Any) -> Any:
    """The number rounded to six significant digits, exactly."""
    if isinstance(number, Traced):
        return number.made("six", number)
    return rounded(Fraction(number), digits=6)


def quotient(number: Any, divisor: Any) -> Any:
    """The exact quotient, as a Fraction or traced."""
    if isinstance(number, Traced) or isinstance(divisor, Traced):
        return number / divisor
    return Fraction(number, divisor)


def approximate(number: Any) -> Any:
    """The number as a float; a traced one as it is."""
    return number if isinstance(number, Traced) else float(number)


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
        of = _first_traced(number) if isinstance(number, Sequence) else None
        if of is not None:
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
    return of.trace.text(shown, function.__name__, numbers) if of is not None else shown


def _first_traced(numbers: Sequence[object]) -> Traced | None:
    return next((each for each in numbers if isinstance(each, Traced)), None)
