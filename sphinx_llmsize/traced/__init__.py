"""Numbers that record how they were computed, so that a page can compute them again.

A :class:`Traced` number is exact and behaves like an int or a Fraction. Its arithmetic also builds
an expression in a :class:`Trace`. A comparison, which may decide what a page says, is recorded with
its result as a condition. A number whose value is taken without arithmetic, as by ``int()``, is
recorded as a condition too, that it equals this value. So all that was computed from the numbers is
right for other values of the variables, as long as the conditions hold.
"""

from __future__ import annotations

from sphinx_llmsize.traced.functions import (
    approximate,
    entry,
    is_whole,
    lesser,
    quotient,
    six_digits,
    text_of,
    traceable,
    untraced,
    variable,
)
from sphinx_llmsize.traced.number import Traced
from sphinx_llmsize.traced.operators import OPERATORS, Exact, evaluate
from sphinx_llmsize.traced.trace import Condition, Trace

__all__ = [
    "OPERATORS",
    "Condition",
    "Exact",
    "Trace",
    "Traced",
    "approximate",
    "entry",
    "evaluate",
    "is_whole",
    "lesser",
    "quotient",
    "six_digits",
    "text_of",
    "traceable",
    "untraced",
    "variable",
]
