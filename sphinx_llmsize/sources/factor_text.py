"""Reader of factors: ``2``, ``1.5``, ``1/2``, and the changes ``*2`` and ``/2``."""

from __future__ import annotations

import re
from fractions import Fraction

_FACTOR = re.compile(r"[1-9]\d{0,3}(/[1-9]\d{0,3})?|\d{1,4}\.\d{1,4}", re.ASCII)
"""``2``, ``1/2`` or ``1.5``, with at most four digits before and after the slash or point."""
OPERATORS = ("*", "×", "/")
"""First characters of a change that scales a size."""


def factor_of(text: str) -> Fraction | None:
    """The factor in a text, greater than 0; None if the text isn't a factor."""
    if not _FACTOR.fullmatch(text):
        return None
    return Fraction(text) or None  # None for 0.0


def is_scaling(value: object) -> bool:
    """True for a text that begins with an operator: ``*2``, and also ``*x``."""
    return isinstance(value, str) and value.strip().startswith(OPERATORS)


def scaling_factor(value: object) -> Fraction | None:
    """The factor of ``*2``, ``*1.5``, ``*3/2`` or ``/2`` (1/2); None for any other value."""
    if not (isinstance(value, str) and is_scaling(value)):
        return None
    change = value.strip()
    operator, text = change[0], change[1:].strip()
    factor = factor_of(text)
    if operator != "/" or factor is None:
        return factor
    # "/3/2" may mean 1/6 or 2/3
    return None if "/" in text else 1 / factor
