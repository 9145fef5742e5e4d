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
    """True if every sequence is T long: none is a fraction of T, which is rounded, or bounded."""
    products = (m for place in architecture.places() for m in place.stage.matmuls)
    return all(length.equals_tokens for matmul in products for length in lengths(matmul))


def lengths(matmul: MatMul) -> Iterator[Length]:
    """The sequence lengths in the FLOPs of a product."""
    return (symbol for symbol in matmul.flops.symbols() if isinstance(symbol, Length))


def coefficients(model: Model) -> dict[str, int]:
    """The coefficients by id; empty if the FLOPs are not a polynomial."""
    if not is_polynomial(model.architecture):
        return {}
    one, two, three = map(model.flops, (1, 2, 3))
    quadratic = (one + three) // 2 - two
    linear = two - one - 3 * quadratic
    return dict(zip(POWERS, (one - linear - quadratic, linear, quadratic), strict=True))


def break_even(model: Model) -> int | None:
    """The smallest T whose quadratic term is at least the linear one.

    None if there is none, or if the model has positions for fewer tokens.
    """
    found = coefficients(model)
    if not found or not found["quadratic"]:
        return None
    tokens = ceil(quotient(found["linear"], found["quadratic"]))
    limit = positions_limit(model)
    return tokens if tokens and (limit is None or tokens <= limit) else None
