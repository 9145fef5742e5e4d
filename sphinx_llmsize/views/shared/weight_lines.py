"""Weights of a stage in lines, each with tensors of equal shapes: ``k, v: D × H_kv·d_h + bias``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby

from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.architecture.tensors import Role, Shape, Tensor
from sphinx_llmsize.translation import _


@dataclass(frozen=True)
class Weights:
    """Tensors of a stage with equal shapes, on one line: ``k, v: D × H_kv·d_h + bias``."""

    labels: tuple[str, ...]
    shape: Shape
    bias: Shape | None = None

    @property
    def prefix(self) -> tuple[str, ...]:
        """``k, v: `` as the first piece of a line, or no piece without labels."""
        return (f"{', '.join(map(_, self.labels))}: ",) if any(self.labels) else ()


def weights_of(stage: Stage) -> tuple[Weights, ...]:
    """The lines of a stage's tensors: a bias is on its matrix's line, equal neighbours share one.

    The only line of a stage has no label, since it would repeat the stage's label, unless the
    stage also lists products (``computes``).
    """
    lines: list[Weights] = []
    previous: Tensor | None = None
    for tensor in stage.tensors:
        if previous and _shares_line(tensor, previous, stage):
            lines[-1] = replace(lines[-1], bias=tensor.stored)
        else:
            lines.append(Weights((tensor.label,), tensor.stored))
        previous = tensor
    if len(lines) == 1 and not stage.computes:
        lines = [replace(lines[0], labels=("",))]
    merged: list[Weights] = []
    for (shape, bias), run in groupby(lines, key=lambda line: (line.shape, line.bias)):
        labels = tuple(label for line in run for label in line.labels)
        merged.append(Weights(labels, shape, bias))
    return tuple(merged)


def _shares_line(tensor: Tensor, previous: Tensor, stage: Stage) -> bool:
    """True for a bias after a matrix, or after its norm's scale if the stage has other tensors."""
    is_of_same_norm = tensor.name == f"{previous.name.removesuffix('.weight')}.bias"
    follows = previous.is_matrix or (is_of_same_norm and stage.tensors != (previous, tensor))
    return tensor.role is Role.BIAS and follows
