"""Variants of views, each for the sizes under which its conditions hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.traced import OPERATORS, Condition, Exact

Conditions = Mapping[Condition, bool]
"""Comparisons with the results that they must have."""


@dataclass(frozen=True)
class Variant:
    """A view under some conditions.

    Attributes:
        conditions: the conditions.
        blocks: blocks with marked texts.
    """

    conditions: Conditions
    blocks: Document


@dataclass(frozen=True)
class Impossible:
    """Sizes that contradict each other.

    Attributes:
        conditions: the conditions under which they do.
        message: the contradiction, with marked numbers.
    """

    conditions: Conditions
    message: str


def hold(conditions: Conditions, values: Sequence[Exact | None]) -> bool:
    """True if all comparisons have their results for these values of the expressions."""
    for (operator, one, other), result in conditions.items():
        if values[one] is None or values[other] is None:
            return False
        if OPERATORS[operator](values[one], values[other]) != result:
            return False
    return True
