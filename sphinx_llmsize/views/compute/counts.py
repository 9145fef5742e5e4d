"""FLOPs of a model's matrix products in a forward pass."""

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
    """FLOPs of a forward pass.

    Attributes:
        weights: of products with weights.
        activations: of products of activations with each other: attention scores, states.
    """

    weights: int
    activations: int

    @property
    def total(self) -> int:
        """The sum."""
        return self.weights + self.activations


def flops_of(architecture: Architecture, forward_pass: ForwardPass) -> Flops:
    """The FLOPs of a whole model."""
    places = tuple(architecture.places())
    total = flops(architecture, places, forward_pass)
    weights = flops(architecture, _with_weights(places), forward_pass)
    return Flops(weights, total - weights)


def flops_text(number: int | Fraction) -> str:
    """``1.24 GFLOPs``: in the largest unit that gives a number of at least 1."""
    prefix, power = next(
        ((prefix, power) for prefix, power in PREFIXES.items() if number >= 1000**power), ("", 0)
    )
    return f"{significant(Fraction(number) / 1000**power)} {prefix}FLOPs"


def _with_weights(places: Iterable[PlacedStage]) -> Iterator[PlacedStage]:
    for place in places:
        yield PlacedStage(replace(place.stage, computes=()), place.stack)
