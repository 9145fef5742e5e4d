"""Numbers that record how they were computed, so that a page can compute them again.

A :class:`Traced` number is exact and behaves like an int or a Fraction. Its arithmetic also builds
an expression in a :class:`Trace`. The result of each comparison is recorded as a condition, since
the text on a page may depend on it. Taking the value of a number, as ``int()`` does, records the
condition that the number equals this value. The expressions and texts are then right for all values
of the variables for which the conditions hold.
"""

from __future__ import annotations

from sphinx_llmsize.traced.trace import Condition, Trace
from sphinx_llmsize.traced.traced_functions import (
    approximate,
    is_whole,
    lesser,
    look_up,
    nearest,
    quotient,
    six_digits,
    text_of,
    traceable,
    untraced,
    variable,
)
from sphinx_llmsize.traced.traced_number import Traced
from sphinx_llmsize.traced.traced_operators import OPERATORS, Exact, Expression, evaluate

__all__ = [
    "OPERATORS",
    "Condition",
    "Exact",
    "Expression",
    "Trace",
    "Traced",
    "approximate",
    "evaluate",
    "is_whole",
    "lesser",
    "look_up",
    "nearest",
    "quotient",
    "six_digits",
    "text_of",
    "traceable",
    "untraced",
    "variable",
]
