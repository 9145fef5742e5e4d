"""Units of numbers, which tell apart those that can't be subtracted or divided."""

from __future__ import annotations

from enum import Enum

from sphinx_llmsize.translation import N_


class Unit(Enum):
    """Unit of a number, by its label."""

    PARAMETERS = N_("parameters")
    BYTES = N_("bytes")
    FLOPS = N_("FLOPs")
    ELEMENTS = N_("elements")
    NONE = N_("a plain number")
    """Of sizes, numbers of layers and ratios."""
