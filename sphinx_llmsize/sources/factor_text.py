"""Reader of factors: ``2``, ``1.5``, ``1/2``, and the changes ``*2`` and ``/2``."""

from __future__ import annotations

import re
from fractions import Fraction

_FACTOR = re.compile(r"[1-9]\d{0,3}(/[1-9]\d{0,3})?|\d{1,4}\.\d{1,4}", re.ASCII)
_SCALING = re.compile(r"([*×/])(.*)", re.DOTALL)


def factor_of(text: str) -> Fraction | None:
    """The factor in a text, greater than 0; None if the text is no factor."""
    factor = Fraction(text) if _FACTOR.fullmatch(text) else None
    return factor or None


def scaling_of(value: object) -> tuple[str, Fraction | None] | None:
    """Operator and factor of ``*2``, ``*1.5``, ``*3/2`` or ``/2``; None for any other value.

    The factor is None if the text after the operator is no factor. That of ``/2`` is 1/2.
    """
    found = _SCALING.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return None
    operator, text = found[1], found[2].strip()
    factor = factor_of(text)
    if operator == "/" and factor:
        factor = None if "/" in text else 1 / factor
    return operator, factor
