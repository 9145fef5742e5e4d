"""Matrices with or without biases, which most stages are made of."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.tensors import SINGLE, ExpertCount, Role, Shape, Tensor


def linear(
    name: str,
    rows: Size,
    columns: Size,
    component: str,
    *,
    bias: bool = False,
    label: str = "",
    expert_count: ExpertCount = SINGLE,
) -> tuple[Tensor, ...]:
    """A weight of shape rows × columns and, if it has one, its bias of shape columns."""
    weight = Tensor(f"{name}.weight", (rows, columns), component, label, expert_count=expert_count)
    if not bias:
        return (weight,)
    return (
        weight,
        vector(f"{name}.bias", columns, component, Role.BIAS, label, expert_count=expert_count),
    )


def table(name: str, shape: Shape, component: str, label: str = "", *, tied_to: str = "") -> Tensor:
    """A matrix of which rows are looked up."""
    return Tensor(name, shape, component, label, Role.TABLE, tied_to=tied_to)


def vector(
    name: str,
    width: Size,
    component: str,
    role: Role = Role.SCALE,
    label: str = "",
    *,
    expert_count: ExpertCount = SINGLE,
) -> Tensor:
    """A scale or a bias of that width."""
    return Tensor(name, (width,), component, label, role, expert_count=expert_count)
