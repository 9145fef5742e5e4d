"""Costs of a model that a difference compares: parameters, cache and FLOPs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from sphinx_llmsize.architecture.cost import ForwardPass, cache_elements_per_token, flops
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model


@dataclass(frozen=True)
class Cost:
    """Exact numbers of a model, or of a change, in which they may be negative.

    Attributes:
        parameters: number of parameters.
        active: number of parameters that one token uses.
        cache: elements that each token adds to the KV cache until the first sliding window is
            full.
        flops: FLOPs of matrix products for one token.
    """

    parameters: int = 0
    active: int = 0
    cache: Fraction = Fraction(0)
    flops: Fraction = Fraction(0)

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.parameters + other.parameters,
            self.active + other.active,
            self.cache + other.cache,
            self.flops + other.flops,
        )

    def __sub__(self, other: Cost) -> Cost:
        return self + -other

    def __neg__(self) -> Cost:
        return Cost(-self.parameters, -self.active, -self.cache, -self.flops)


NO_COST = Cost()
"""Cost of a change that affects no number."""


def sum_of(costs: Iterable[Cost]) -> Cost:
    """The sum of some costs."""
    return sum(costs, start=NO_COST)


def cost_of(model: Model, forward_pass: ForwardPass, *groups: Group) -> Cost:
    """The cost of a model, or only of its stages in some groups.

    Args:
        model: the model.
        forward_pass: the pass in which FLOPs are counted; they are divided by its tokens.
        groups: groups of stages to count; none for all stages.
    """
    architecture = model.architecture
    placed_stages = list(architecture.placed_stages(*groups))
    return Cost(
        sum(architecture.count(placed.parameters) for placed in placed_stages),
        sum(architecture.count(placed.active) for placed in placed_stages),
        cache_elements_per_token(architecture, placed_stages),
        Fraction(flops(architecture, placed_stages, forward_pass), forward_pass.tokens),
    )
