"""Parts of views, and their variants: the part for all sizes under which some conditions hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.data import data
from sphinx_llmsize.traced import OPERATORS, Condition, Exact, Trace
from sphinx_llmsize.views import View, parts_of_view

Conditions = Mapping[Condition, bool]
"""Comparisons, each with the result that it must have."""


class Part(NamedTuple):
    """A part of a view, which has variants of its own.

    Attributes:
        view: name of the view.
        number: its position in the view.
        function: function that makes its blocks from the model and the options.
    """

    view: str
    number: int
    function: View


def parts_of(name: str) -> Iterable[Part]:
    """The parts of a view."""
    return (Part(name, number, function) for number, function in enumerate(parts_of_view(name)))


@dataclass(frozen=True)
class Variant:
    """A part of a view under some conditions.

    Attributes:
        conditions: the conditions.
        blocks: blocks with marked texts.
    """

    conditions: Conditions
    blocks: Document


@dataclass(frozen=True)
class Message:
    """A text under some conditions: the model's total, or an error for its sizes.

    Attributes:
        conditions: the conditions.
        text: the text, with marked numbers.
    """

    conditions: Conditions
    text: str


def never(trace: Trace) -> Conditions:
    """Conditions that hold for no sizes: a constant is less than itself."""
    constant = trace.position_of(0)
    return {("<", constant, constant): True}


def all_hold(conditions: Conditions, values: Sequence[Exact | None]) -> bool:
    """True if every comparison has its required result.

    Args:
        conditions: the comparisons and their results.
        values: value of each expression of the trace; None if it has none.
    """
    for (operator, one, other), result in conditions.items():
        if values[one] is None or values[other] is None:
            return False
        if OPERATORS[operator](values[one], values[other]) != result:
            return False
    return True


def marked_text(blocks: Document) -> str:
    """All texts of blocks, with their marks."""
    return json.dumps(data(blocks), ensure_ascii=False)
