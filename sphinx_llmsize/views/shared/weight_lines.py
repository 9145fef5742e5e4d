"""Lines that list the weights of a stage: ``k, v: D × H_kv·d_h + bias``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby

from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.architecture.tensors import Role, Shape, Tensor
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import TIMES


@dataclass(frozen=True)
class WeightLine:
    """Consecutive tensors of a stage with equal shapes, and the biases that belong to them.

    Attributes:
        labels: label of each tensor (``k``, ``v``), translated where it is shown; ``("",)`` if the
            line needs no label.
        shape: shape of each tensor.
        bias: shape of the bias of each tensor; None without biases.
    """

    labels: tuple[str, ...]
    shape: Shape
    bias: Shape | None = None

    @property
    def prefix(self) -> tuple[str, ...]:
        """``k, v: `` as the first piece of a line, or no piece without labels."""
        if not any(self.labels):
            return ()
        return (f"{', '.join(map(_, self.labels))}: ",)

    @property
    def times(self) -> str:
        """``2 × ``, the number of tensors before their shape; empty for a single one."""
        number = len(self.labels)
        return f"{number}{TIMES}" if number > 1 else ""


def weight_lines(stage: Stage) -> tuple[WeightLine, ...]:
    """The lines of a stage: a bias joins the line before it, consecutive equal lines are merged.

    A line that is the stage's only one needs no label beside that of the stage, unless the stage
    also has products of activations (``computes``).
    """
    lines: list[WeightLine] = []
    previous: Tensor | None = None
    for tensor in stage.tensors:
        if previous and _joins_line(tensor, previous, stage):
            lines[-1] = replace(lines[-1], bias=tensor.stored_shape)
        else:
            lines.append(WeightLine((tensor.label,), tensor.stored_shape))
        previous = tensor
    if len(lines) == 1 and not stage.computes:
        lines = [replace(lines[0], labels=("",))]
    merged: list[WeightLine] = []
    for (shape, bias), run in groupby(lines, key=lambda line: (line.shape, line.bias)):
        labels = tuple(label for line in run for label in line.labels)
        merged.append(WeightLine(labels, shape, bias))
    return tuple(merged)


def _joins_line(tensor: Tensor, previous: Tensor, stage: Stage) -> bool:
    """True for a bias after a matrix, or after the scale of its norm.

    Scale and bias have a line each if the stage has no other tensors.
    """
    if tensor.role is not Role.BIAS:
        return False
    is_of_same_norm = tensor.name == f"{previous.name.removesuffix('.weight')}.bias"
    is_whole_norm = stage.tensors == (previous, tensor)
    return previous.is_matrix or (is_of_same_norm and not is_whole_norm)
