"""Trace: expressions, the texts that show them, and the conditions under which they are right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from sphinx_llmsize.marks import MARK, position_of, with_mark, without_marks
from sphinx_llmsize.traced.operators import Exact, Node

Condition = tuple[str, int, int]
"""A comparison, ``==`` or ``<``, and the positions of the expressions that it compares."""
Text = tuple[Any, ...]
"""A format, the positions of the numbers that it shows, and its other arguments."""


class Trace:
    """Expressions, each stored once, the texts that show them, and recorded conditions.

    Attributes:
        nodes: expressions in an order in which they can be computed: a number, the name of a
            variable, or an operator and the positions of its operands.
        texts: a format, the positions of the numbers that it shows, and its other arguments.
        conditions: the recorded comparisons with their results, while :meth:`recording`.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.texts: list[Text] = []
        self.conditions: dict[Condition, bool] = {}
        self._positions: dict[tuple[Any, ...], int] = {}
        self._text_positions: dict[tuple[Any, ...], int] = {}
        self._shown: dict[int, Sequence[object]] = {}

    def node(self, content: Node) -> int:
        """Position of an expression."""
        return _position(content, self.nodes, self._positions)

    def constant(self, value: Exact) -> int:
        """Position of a number."""
        top = self.node((value.numerator,))
        if value.denominator == 1:
            return top
        return self.node(("/", top, self.node((value.denominator,))))

    def of(self, number: Any) -> int:
        """Position of the expression of a number, which may be traced."""
        node: int | None = getattr(number, "node", None)
        if node is not None:
            return node
        return self.constant(number if isinstance(number, int) else Fraction(str(number)))

    def text(self, shown: str, form: str, numbers: Sequence[Any], *others: object) -> str:
        """A text that shows numbers in a format, marked with the position of both.

        Args:
            shown: the text at present.
            form: name of the function that has written it.
            numbers: the numbers, traced or not.
            others: other arguments of the function.
        """
        content = (form, tuple(map(self.of, numbers)), *others)
        position = _position(content, self.texts, self._text_positions)
        self._shown[position] = numbers
        return with_mark(without_marks(shown), position)

    def numbers_in(self, text: str) -> list[Any]:
        """The numbers whose marks are in a text."""
        return [each for mark in MARK.finditer(text) for each in self._shown[position_of(mark)]]

    def variables_in(self, text: str) -> set[str]:
        """Names of the variables on which the numbers depend whose marks are in a text."""
        marks = {position_of(mark) for mark in MARK.finditer(text)}
        return self.variables_of(node for mark in marks for node in self.texts[mark][1])

    def variables_of(self, positions: Iterable[int]) -> set[str]:
        """Names of the variables on which some expressions depend."""
        found: set[str] = set()
        seen: set[int] = set()
        waiting = list(positions)
        while waiting:
            position = waiting.pop()
            if position in seen:
                continue
            seen.add(position)
            head, *operands = self.nodes[position]
            if head == "=":
                found.add(operands[0])
            else:
                waiting += operands
        return found

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
