"""Values of the controls, and those at which an exploration traces the views.

Texts often depend on whether two sizes are equal, such as the width of all heads and D. The steps
of a slider may never meet that case, which a reader can enter, so it is explored too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from sphinx_llmsize.interactive.controls import Control
from sphinx_llmsize.traced import Condition, Exact, Trace, evaluate

ControlValues = dict[str, int]
"""Value of each control, by name."""
STEPS_TO_EXPLORE = 24
"""Least number of steps of a control that are explored, unless it has fewer.

At most twice this number are explored.
"""
RANDOM_TO_EXPLORE = 400
"""Number of combinations of several controls at random steps."""


def values_to_explore(
    controls: tuple[Control, ...],
    find_equal_sizes: Callable[[], Mapping[str, Collection[int]]],
    turning_points: Sequence[tuple[str, int]],
) -> Iterator[ControlValues]:
    """The values to explore: of each control alone, then of pairs, then of several at random.

    Conditions on different sizes hold or not independently. So the values of single controls at
    which a text changes are combined in pairs, if they are near those of a slider.

    Each yielded mapping has only the controls that a reader sets; :func:`with_followers` adds the
    others.

    Args:
        controls: the controls.
        find_equal_sizes: function that returns the values of each control at which it equals
            another size; called after the steps of single controls, at which more are found.
        turning_points: controls with a value at which a text changed. The caller appends those that
            it finds at a yielded value before it takes the next; all values of single controls are
            yielded before this is read.
    """
    yield from _single_values(controls)
    equal = find_equal_sizes()
    for name, values in equal.items():
        yield from ({name: value} for value in sorted(values))
    if len(controls) < 2:  # noqa: PLR2004
        return
    near_sliders = (point for point in turning_points if _is_near_slider(point, controls))
    for (one, value), (other, other_value) in combinations(near_sliders, 2):
        if one != other:
            yield {one: value, other: other_value}
    generator = random.Random(0)  # noqa: S311 - the same for each build
    choices = {
        each.name: (*each.steps, *_numbers_to_enter(each), *sorted(equal.get(each.name, ())))
        for each in controls
    }
    for _number in range(RANDOM_TO_EXPLORE):
        several = generator.sample(controls, generator.randint(2, len(controls)))
        yield {control.name: generator.choice(choices[control.name]) for control in several}


def _single_values(controls: tuple[Control, ...]) -> Iterator[ControlValues]:
    """Steps of each control alone, its least value, and numbers that a reader may enter.

    The least value is often 1, for which texts have a singular.
    """
    for control in controls:
        values = (*_some_steps(control), control.least, *_numbers_to_enter(control))
        yield from ({control.name: value} for value in dict.fromkeys(values))


def _is_near_slider(point: tuple[str, int], controls: Iterable[Control]) -> bool:
    """True for a value of at least half the first step of its control's slider.

    A width of 1 isn't, which a reader can enter, but hardly with another size of 1: pairs of such
    values would make up half of all variants on a page.
    """
    name, value = point
    (first,) = (control.steps[0] for control in controls if control.name == name)
    return 2 * value >= first


def _some_steps(control: Control) -> list[int]:
    """Steps of a control at equal intervals, with the first and the last.

    :data:`STEPS_TO_EXPLORE` of them or up to twice as many; all steps if there are fewer.
    """
    interval = max(len(control.steps) // STEPS_TO_EXPLORE, 1)
    return [*control.steps[::interval], control.steps[-1]]


def _numbers_to_enter(control: Control) -> list[int]:
    """Sizes that aren't steps: powers of two, and one more than some of the steps."""
    if not control.key:
        return []
    first, last = control.steps[0], control.steps[-1]
    powers = [2**n for n in range(first.bit_length(), last.bit_length())]
    after = [step + 1 for step in (control.value, first, last)]
    return [n for n in (*after, *powers) if n <= control.most and n not in control.steps]


def equal_sizes(
    trace: Trace, controls: tuple[Control, ...], conditions: Iterable[Condition]
) -> dict[str, set[int]]:
    """Values of each size, in the range of its slider, at which it may equal another size.

    Those are the values of the other sizes, since a ratio such as F/D then is 1, and the values at
    which a text finds the size equal to an expression.

    Args:
        trace: the trace of the expressions.
        controls: the controls, all at their own values.
        conditions: comparisons of expressions.
    """
    numbers = evaluate(trace.nodes, {each.name: each.value for each in controls})
    of_sizes = {each.name: each for each in controls if each.key}
    own_values = {each.value for each in of_sizes.values()}
    found = {
        size.name: {n for n in own_values if size.steps[0] <= n <= size.steps[-1]}
        for size in of_sizes.values()
    }
    for operator, *sides in conditions:
        if operator != "==":
            continue
        for side, other in (sides, sides[::-1]):
            name, number = _solution(trace, numbers, side, other)
            size = of_sizes.get(name)
            if size is None or number is None or number.denominator != 1:
                continue
            if size.steps[0] <= number <= size.steps[-1]:
                found[size.name].add(int(number))
    return found


def _solution(
    trace: Trace, numbers: Sequence[Exact | None], side: int, other: int
) -> tuple[str, Exact | None]:
    """Name and value of the control with which ``D == x`` or ``x / D == y`` holds.

    Both are empty for any other expression.

    Args:
        trace: the trace of the expressions.
        numbers: values of the expressions.
        side: position of ``D``, or of ``x / D``.
        other: position of ``x``, or of ``y``.
    """
    head, *operands = trace.nodes[side]
    number = numbers[other]
    if head == "=":
        return operands[0], number
    if head == "/" and number:
        dividend, (divisor, *names) = numbers[operands[0]], trace.nodes[operands[1]]
        if divisor == "=" and dividend is not None:
            return names[0], Fraction(dividend) / number
    return "", None


def with_followers(
    trace: Trace, controls: tuple[Control, ...], set_values: ControlValues
) -> ControlValues:
    """The values of all controls, if a reader sets some of them and others follow these."""
    values = {each.name: set_values.get(each.name, each.value) for each in controls}
    followers = {each.name: each.follows for each in controls if each.follows is not None}
    last = max(followers.values(), default=-1)  # later expressions are not needed
    numbers = evaluate(trace.nodes[: last + 1], values)
    for name, node in followers.items():
        number = numbers[node]
        # None if it can't be computed at these values; 0 if it is rounded down, but no size is 0
        if name not in set_values and number:
            values[name] = int(number)
    return values
