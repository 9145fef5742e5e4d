"""Numbers of the scales and biases of all norms, by shape: ``(2L + 1) × D`` in LLaMA."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sphinx_llmsize.algebra import ZERO, Number, Size
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.architecture.tensors import Shape


@dataclass(frozen=True)
class NormVectors:
    """The scales and biases of norms that have the same shape, or are equally many.

    Attributes:
        shape: the shape, ``(D,)``, or the sum of several: ``(R_q + R_kv,)``.
        count: number of vectors of each shape in the whole model, in symbols: ``2L + 1``.
    """

    shape: Shape
    count: Size


def norm_vectors(architecture: Architecture) -> tuple[NormVectors, ...]:
    """The scales and biases of all norms, by their shapes; equally many of one dimension are added.

    ``L × (R_q + R_kv)`` in place of ``L × R_q + L × R_kv``.
    """
    placed_stages = list(architecture.placed_stages(Group.NORMS))
    shapes = dict.fromkeys(
        tensor.stored_shape for placed in placed_stages for tensor in placed.stage.tensors
    )
    shapes_by_count: dict[tuple[Size, int | Shape], list[Shape]] = {}
    for shape in shapes:
        count = _count(shape, placed_stages, architecture)
        alike = 1 if len(shape) == 1 else shape
        shapes_by_count.setdefault((count, alike), []).append(shape)
    return tuple(
        NormVectors(tuple(sum(sizes, start=ZERO) for sizes in zip(*alike, strict=True)), count)
        for (count, _kind), alike in shapes_by_count.items()
        if count != ZERO
    )


def _count(shape: Shape, placed_stages: Iterable[PlacedStage], architecture: Architecture) -> Size:
    """Number of vectors of a shape: ``2L + 1``; one term for all layers with equally many."""
    constant = 0
    in_one_layer: Counter[Stack] = Counter()
    for placed in placed_stages:
        number = sum(t.stored_shape == shape and not t.tied_to for t in placed.stage.tensors)
        if placed.stack is None:
            constant += number
        elif number:
            in_one_layer[placed.stack] += number
    stacks_with: dict[int, list[Stack]] = {}
    for stack, number in in_one_layer.items():
        stacks_with.setdefault(number, []).append(stack)
    terms: list[Size] = []
    for number, stacks in stacks_with.items():
        layers = architecture.layer_counts.of(stacks).size
        count = architecture.count(layers)
        # the vectors of a single layer, such as 2·1, are added to the constant
        if isinstance(layers, Number) or count == 1:
            constant += number * count
        else:
            terms.append(Number(number) * layers)
    return sum((*terms, Number(constant)), start=ZERO)
