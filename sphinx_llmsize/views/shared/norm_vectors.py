"""Norms of a model as numbers of vectors: ``(2·L + 1) × D`` for all norms of LLaMA."""

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
    """The vectors of one shape.

    Attributes:
        shape: the shape, ``(D,)``.
        count: how many there are in the whole model, in symbols: ``2·L + 1``.
    """

    shape: Shape
    count: Size


def norm_vectors(architecture: Architecture) -> tuple[NormVectors, ...]:
    """The scales and biases of all norms, by their shapes."""
    places = [p for p in architecture.places() if p.stage.group is Group.NORMS]
    shapes = dict.fromkeys(tensor.stored for place in places for tensor in place.stage.tensors)
    found = (NormVectors(shape, _count(shape, places, architecture)) for shape in shapes)
    return tuple(vectors for vectors in found if vectors.count != ZERO)


def _count(shape: Shape, places: Iterable[PlacedStage], architecture: Architecture) -> Size:
    """Number of vectors of a shape; layers with equally many of them are counted together."""
    # vectors in one layer of each stack; those outside the layers are under None
    numbers: Counter[Stack | None] = Counter()
    for place in places:
        tensors = (t for t in place.stage.tensors if t.stored == shape and not t.tied_to)
        numbers[place.stack] += sum(1 for _tensor in tensors)
    constant = numbers.pop(None, 0)
    by_number: dict[int, list[Stack]] = {}
    for stack, number in numbers.items():
        if stack:
            by_number.setdefault(number, []).append(stack)
    terms: list[Size] = []
    for number, stacks in by_number.items():
        layers = architecture.layer_counts.of(stacks).size
        count = architecture.count(layers)
        # the constant includes products with one layer, such as 2·1
        if isinstance(layers, Number) or count == 1:
            constant += number * count
        elif number:
            terms.append(Number(number) * layers)
    return sum((*terms, Number(constant)), start=ZERO)
