"""Matrices with or without biases, which most stages are made of."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.pieces import Role, Tensor


def linear(
    name: str, rows: Size, columns: Size, component: str, *, bias: bool, label: str = ""
) -> tuple[Tensor, ...]:
    """A weight of shape rows × columns and, if it has one, its bias of shape columns."""
    weight = Tensor(f"{name}.weight", (rows, columns), component, label)
    if not bias:
        return (weight,)
    return (weight, Tensor(f"{name}.bias", (columns,), component, label, Role.BIAS))
