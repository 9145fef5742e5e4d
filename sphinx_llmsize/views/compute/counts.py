"""FLOPs of a model's matrix products, for a pass of T tokens and for one more token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import ForwardPass, flops
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.formats import significant

PREFIXES = {"E": 6, "P": 5, "T": 4, "G": 3, "M": 2, "K": 1}
"""Powers of 1000."""


@dataclass(frozen=True)
class Flops:
    """What a pass computes.

    Attributes:
        weights: products with weights.
        activations: products of activations with each other: scores, states.
    """

    weights: int
    activations: int

    @property
    def total(self) -> int:
        """Both."""
        return self.weights + self.activations


def flops_of(architecture: Architecture, run: ForwardPass) -> Flops:
    """The FLOPs of a whole model, those of its weights apart."""
    places = tuple(architecture.places())
    total = flops(architecture, places, run)
    weights = flops(architecture, _with_weights(places), run)
    return Flops(weights, total - weights)


def flops_text(number: int | Fraction) -> str:
    """``1.24 GFLOPs``: in the largest unit of which there is at least one."""
    prefix, power = next(
        ((prefix, power) for prefix, power in PREFIXES.items() if number >= 1000**power), ("", 0)
    )
    return f"{significant(Fraction(number) / 1000**power)} {prefix}FLOPs"


def _with_weights(places: Iterable[PlacedStage]) -> Iterator[PlacedStage]:
    for place in places:
        yield PlacedStage(replace(place.stage, computes=()), place.stack)
