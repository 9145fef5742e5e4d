"""Units of numbers; only numbers of the same unit can be subtracted or divided."""

from __future__ import annotations

from enum import Enum

from sphinx_llmsize.translation import N_


class Unit(Enum):
    """Unit of a number; the value is its label."""

    PARAMETERS = N_("parameters")
    BYTES = N_("bytes")
    FLOPS = N_("FLOPs")
    ELEMENTS = N_("elements")
    NONE = N_("a plain number")
    """Sizes, numbers of layers and ratios have no unit."""
