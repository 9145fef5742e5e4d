"""Numbers of costs, and shares of a difference, as text."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.differences.costs import Cost
from sphinx_llmsize.differences.difference import Difference
from sphinx_llmsize.formats import HALF_STEP, percent, thousands, trimmed
from sphinx_llmsize.views.numbers.role_text import MINUS

SMALL = Fraction(1, 100)
"""Share below which percentages have a decimal place."""
NEARLY_ALL = Fraction(199, 200)
"""Share from which percentages below 100% have a decimal place."""
MAX_SHARE = 10
"""Largest change, relative to the difference, whose share is shown."""


def signed(number: Fraction | int) -> str:
    """``+788,529,152``, ``−805,306,368``, ``0``; up to three decimal places."""
    text = number_text(number)
    return f"+{text}" if number > 0 else text


def number_text(number: Fraction | int) -> str:
    """``788,529,152``, ``−805,306,368``, ``0``; up to three decimal places."""
    size = abs(Fraction(number))
    text = thousands(int(size)) if size.denominator == 1 else trimmed(size, 3)
    return f"{MINUS}{text}" if number < 0 else text


def share_of_difference(difference: Difference, cost: Cost) -> str:
    """Share of a cost in the difference in parameters: ``61%``, ``−62%`` if against its direction.

    Empty if the cost or the difference has no parameters, or if the share is too large to help.
    """
    total = difference.total.parameters
    if not cost.parameters or not total:
        return ""
    share = Fraction(cost.parameters, total)
    return share_text(share) if abs(share) <= MAX_SHARE else ""


def share_text(share: Fraction) -> str:
    """``61%``, ``−62%``; with a decimal place below 1% and near 100%, ``<0.1%`` around 0."""
    size = abs(share)
    is_whole = SMALL <= size < NEARLY_ALL or size >= 1
    text = f"{round(100 * size)}%" if is_whole else percent(size)
    return f"{MINUS}{text}" if share < 0 and size >= HALF_STEP else text
