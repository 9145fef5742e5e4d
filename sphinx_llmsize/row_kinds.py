"""Kinds of rows in tables and in sums."""

from __future__ import annotations

from enum import Enum


class RowKind(Enum):
    """Kind of a table row; sets its font weight and indentation."""

    GROUP = "group"
    """Heading of the rows below it."""
    MEMBER = "member"
    """Row of a group, or any row of a table without groups."""
    TOTAL = "total"


class SumRowKind(Enum):
    """Kind of a row in a sum."""

    ADDEND = "addend"
    HEADING = "heading"
    """Name of the component whose parts are in the bracket below it."""
    INNER = "inner"
    """An addend in a bracket."""
    SUBTOTAL = "subtotal"
    """Sum of the addends in a bracket."""
    PRODUCT = "product"
    """The product of a factor and the bracket above it."""
    TOTAL = "total"

    @property
    def is_inside(self) -> bool:
        """True for a row in a bracket."""
        return self in {SumRowKind.INNER, SumRowKind.SUBTOTAL}
