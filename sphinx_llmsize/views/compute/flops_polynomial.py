"""FLOPs of a forward pass as a polynomial in the number of tokens T."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.tensors import MatMul
from sphinx_llmsize.config.symbols import Length
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.views.shared.lengths import positions_limit

POWERS = ("constant", "linear", "quadratic")
"""Ids of the coefficients, by power of T."""


def is_polynomial(architecture: Architecture) -> bool:
    """True if every sequence length in the products is T.

    False if one is a fraction of T, which would be rounded, or has a limit. A sliding window is no
    such limit: these FLOPs are those of full attention.
    """
    products = (m for stage in architecture.stages() for m in stage.matmuls)
    return all(length.equals_tokens for matmul in products for length in lengths(matmul))


def lengths(matmul: MatMul) -> Iterator[Length]:
    """The sequence lengths in the FLOPs of a product."""
    return (symbol for symbol in matmul.flops.symbols() if isinstance(symbol, Length))


def coefficients(model: Model) -> dict[str, int]:
    """The coefficients by id; empty if the FLOPs are not a polynomial."""
    if not is_polynomial(model.architecture):
        return {}
    # a polynomial of degree 2 is determined by its values at three points
    at_1, at_2, at_3 = map(model.flops, (1, 2, 3))
    quadratic = (at_1 + at_3) // 2 - at_2
    linear = at_2 - at_1 - 3 * quadratic
    constant = at_1 - linear - quadratic
    return dict(zip(POWERS, (constant, linear, quadratic), strict=True))


def break_even(model: Model) -> int | None:
    """The smallest number of tokens T for which the quadratic term is at least the linear one.

    None if the FLOPs are not a polynomial or have no quadratic or no linear term, or if the model
    has positions for fewer tokens.
    """
    by_power = coefficients(model)
    if not by_power or not by_power["quadratic"]:
        return None
    tokens: int = ceil(quotient(by_power["linear"], by_power["quadratic"]))
    limit = positions_limit(model)
    if not tokens or (limit is not None and tokens > limit):
        return None
    return tokens
