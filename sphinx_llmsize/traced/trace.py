"""Trace: expressions, texts that show their values, and conditions for both to be right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from sphinx_llmsize.marks import MARK, position_of, with_mark, without_marks
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
        self._numbers: dict[int, Sequence[object]] = {}

    def position(self, expression: Expression) -> int:
        """Position of an expression, which is added if it is new."""
        return _position(expression, self.nodes, self._positions)

    def position_of(self, number: Any) -> int:
        """Position of the expression of a number, traced or not."""
        position: int | None = getattr(number, "position", None)
        if position is not None:
            return position
        return self._constant(number if isinstance(number, int) else Fraction(str(number)))

    def _constant(self, value: Exact) -> int:
        """Position of the expression of a constant; a fraction is a quotient of two numbers."""
        numerator = self.position((value.numerator,))
        if value.denominator == 1:
            return numerator
        return self.position(("/", numerator, self.position((value.denominator,))))

    def text(self, shown: str, form: str, numbers: Sequence[Any], *others: object) -> str:
        """Mark a text that shows numbers, so that a page can write it for other numbers.

        Args:
            shown: the text for the present numbers.
            form: name of the format: the function that wrote the text.
            numbers: the numbers, traced or not.
            others: other arguments of the function.
        """
        content = (form, tuple(map(self.position_of, numbers)), *others)
        position = _position(content, self.texts, self._text_positions)
        self._numbers[position] = numbers
        return with_mark(without_marks(shown), position)

    def numbers_in(self, text: str) -> list[Any]:
        """The numbers of all marks in a text."""
        numbers: list[Any] = []
        for mark in MARK.finditer(text):
            numbers += self._numbers[position_of(mark)]
        return numbers

    def variables_in(self, text: str) -> set[str]:
        """Names of the variables on which the marked numbers in a text depend."""
        marks = {position_of(mark) for mark in MARK.finditer(text)}
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


def _position(
    content: tuple[Any, ...], contents: list[tuple[Any, ...]], positions: dict[tuple[Any, ...], int]
) -> int:
    """Position of a tuple in a list, to which it is added if it is new."""
    if content not in positions:
        positions[content] = len(contents)
        contents.append(content)
    return positions[content]
