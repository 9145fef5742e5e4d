"""Trace: expressions, texts that show their values, and conditions for both to be right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from sphinx_llmsize.marks import MARK, text_position, with_mark, without_marks
from sphinx_llmsize.traced.traced_operators import Exact, Expression

Condition = tuple[str, int, int]
"""A comparison, ``==`` or ``<``, and the positions of the expressions that it compares."""
Text = tuple[Any, ...]
"""A text on a page: its format, the positions of the numbers it shows, and other arguments."""


class Trace:
    """Expressions, each stored once, the texts that show them, and recorded conditions.

    Attributes:
        nodes: the expressions, each after its operands.
        texts: the texts.
        conditions: comparisons recorded so far, with their results.
    """

    def __init__(self) -> None:
        self.nodes: list[Expression] = []
        self.texts: list[Text] = []
        self.conditions: dict[Condition, bool] = {}
        self._positions: dict[tuple[Any, ...], int] = {}
        self._text_positions: dict[tuple[Any, ...], int] = {}
        self._numbers: dict[int, Sequence[object]] = {}  # numbers of each text, by its position

    def add_expression(self, expression: Expression) -> int:
        """Add an expression if it is new, and return its position."""
        return _add(expression, self.nodes, self._positions)

    def position_of(self, number: Any) -> int:
        """Position of the expression of a number; an untraced number is added as a constant."""
        position: int | None = getattr(number, "position", None)
        if position is not None:
            return position
        return self._add_constant(number if isinstance(number, int) else Fraction(str(number)))

    def _add_constant(self, value: Exact) -> int:
        """Add a constant, a fraction as a quotient of two numbers, and return its position."""
        numerator = self.add_expression((value.numerator,))
        if value.denominator == 1:
            return numerator
        return self.add_expression(("/", numerator, self.add_expression((value.denominator,))))

    def text(self, shown: str, form: str, numbers: Sequence[Any], *others: object) -> str:
        """Mark a text that shows numbers, so that a page can write it for other numbers.

        Args:
            shown: the text for the present numbers.
            form: name of the format: the function that wrote the text.
            numbers: the numbers, traced or not.
            others: other arguments of the function.
        """
        content = (form, tuple(map(self.position_of, numbers)), *others)
        position = _add(content, self.texts, self._text_positions)
        self._numbers[position] = numbers
        return with_mark(without_marks(shown), position)

    def numbers_in(self, text: str) -> list[Any]:
        """The numbers of all marks in a text."""
        numbers: list[Any] = []
        for mark in MARK.finditer(text):
            numbers += self._numbers[text_position(mark)]
        return numbers

    def variables_in(self, text: str) -> set[str]:
        """Names of the variables on which the marked numbers in a text depend."""
        marks = {text_position(mark) for mark in MARK.finditer(text)}
        return self.variables_of(node for mark in marks for node in self.texts[mark][1])

    def variables_of(self, positions: Iterable[int]) -> set[str]:
        """Names of the variables on which the expressions at these positions depend."""
        names: set[str] = set()
        seen: set[int] = set()
        waiting = list(positions)
        while waiting:
            position = waiting.pop()
            if position in seen:
                continue
            seen.add(position)
            head, *operands = self.nodes[position]
            if head == "=":
                names.add(operands[0])
            else:
                waiting += operands
        return names

    @contextmanager
    def recording(self) -> Iterator[dict[Condition, bool]]:
        """Record the conditions of a ``with`` block in a separate dict, which it yields."""
        before, self.conditions = self.conditions, {}
        try:
            yield self.conditions
        finally:
            self.conditions = before


def _add(
    content: tuple[Any, ...], contents: list[tuple[Any, ...]], positions: dict[tuple[Any, ...], int]
) -> int:
    """Add a tuple to a list if it is new, and return its position."""
    if content not in positions:
        positions[content] = len(contents)
        contents.append(content)
    return positions[content]
