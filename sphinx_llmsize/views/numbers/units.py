"""Numbers with their text and unit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from sphinx_llmsize.formats import thousands
from sphinx_llmsize.translation import N_


class Unit(Enum):
    """Unit of a number; only numbers of the same unit can be subtracted or divided.

    The value is its label.
    """

    PARAMETERS = N_("parameters")
    BYTES = N_("bytes")
    FLOPS = N_("FLOPs")
    ELEMENTS = N_("elements")
    NONE = N_("a plain number")
    """Sizes, numbers of layers and ratios have no unit."""


@dataclass(frozen=True)
class Measure:
    """A number, its text and its unit."""

    number: Fraction
    text: str
    unit: Unit = Unit.NONE


def layers_measure(number: int | Fraction) -> Measure:
    """A number of layers."""
    return Measure(Fraction(number), thousands(int(number)))
