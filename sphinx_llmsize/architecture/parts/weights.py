"""Constructors of tensors: matrices with or without biases, tables, vectors."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.tensors import ExpertCount, Role, Shape, Tensor
from sphinx_llmsize.translation import N_


def linear(
    name: str,
    rows: Size,
    columns: Size,
    component: str,
    *,
    bias: bool = False,
    label: str = "",
    expert_count: ExpertCount | None = None,
) -> tuple[Tensor, ...]:
    """``name.weight``, rows × columns, and with ``bias`` also ``name.bias``, columns."""
    weight = Tensor(f"{name}.weight", (rows, columns), component, label, expert_count=expert_count)
    if not bias:
        return (weight,)
    return (
        weight,
        vector(f"{name}.bias", columns, component, Role.BIAS, label, expert_count=expert_count),
    )


def table(name: str, shape: Shape, component: str, label: str = "", *, tied_to: str = "") -> Tensor:
    """A matrix whose rows are looked up, so that it needs no FLOPs."""
    return Tensor(name, shape, component, label, Role.TABLE, tied_to=tied_to)


def vector(
    name: str,
    width: Size,
    component: str,
    role: Role = Role.SCALE,
    label: str = "",
    *,
    expert_count: ExpertCount | None = None,
) -> Tensor:
    """A scale or a bias of ``width`` numbers."""
    return Tensor(name, (width,), component, label, role, expert_count=expert_count)


def norm_tensors(
    name: str, width: Size, component: str, *, bias: bool = True
) -> tuple[Tensor, ...]:
    """The scale of a norm and, with ``bias``, its bias: ``width`` numbers each."""
    scale = vector(f"{name}.weight", width, component, label=N_("scale") if bias else "")
    shift = vector(f"{name}.bias", width, component, Role.BIAS, N_("bias"))
    return (scale, shift) if bias else (scale,)
