"""Lines that list the weights of a stage: ``K, V: D × H_kv·d_h + bias``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import groupby

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.architecture.tensors import Role, Shape, Tensor
from sphinx_llmsize.inline import FormulaText, Inline, Line, Variable
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import (
    STATE_SPACE_LETTERS,
    TIMES,
    filled,
    joined,
    separated,
    shape_line,
    shape_numbers,
)

_VECTORS = re.compile(r"\b(?:qkv|qk|kv|[koqrv])\b")
"""Letters of vectors: queries, keys, values, output gates, and relative positions or receptance."""


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
    def prefix(self) -> Line:
        """``K, V: `` as the beginning of a line; empty without labels."""
        if not any(self.labels):
            return ()
        names = [(_name(label),) for label in self.labels]
        return joined((*separated(names, ", "), ": "))

    @property
    def are_vectors(self) -> bool:
        """True for vectors, such as the scales of a norm."""
        return len(self.shape) == 1

    @property
    def symbols(self) -> Line:
        """``2 × D × F`` for two tensors; with biases, ``2 × (D × F + bias F)``."""
        weights = shape_line(self.shape)
        if self.bias:
            message = _("{weights} + bias {shape}")
            weights = filled(message, weights=weights, shape=shape_line(self.bias))
        return joined(self._counted(weights))

    def numbers(self, architecture: Architecture) -> str:
        """``2 × 768 × 3,072`` for two tensors; with biases, ``2 × (768 × 3,072 + 3,072)``."""
        weights = shape_numbers(self.shape, architecture)
        if self.bias:
            weights += f" + {shape_numbers(self.bias, architecture)}"
        return "".join(map(str, self._counted((weights,))))

    def _counted(self, weights: Line) -> Line:
        """The weights of one tensor and its bias, after the number of tensors if they are more."""
        number = len(self.labels)
        if number == 1:
            return weights
        times = FormulaText(f"{number}{TIMES}")
        if not self.bias:
            return (times, *weights)
        return (times, FormulaText("("), *weights, FormulaText(")"))


def _name(label: str) -> Inline:
    """The label of a tensor in a line: ``K``, or a symbol if it is a letter of a state space."""
    return Variable(label) if label in STATE_SPACE_LETTERS else part_label(label)


def part_label(label: str) -> str:
    """The translated label of a tensor or product; vectors are capital letters: ``K``, ``V``."""
    return _VECTORS.sub(lambda letters: letters[0].upper(), _(label))


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
