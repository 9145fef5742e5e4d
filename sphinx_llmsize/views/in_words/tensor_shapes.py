"""Shapes of the tensors of a part, in numbers: ``K 6,144 × 1,024``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    is_of_encoder,
    layers_with,
    names_of,
    parts_in_layers,
)
from sphinx_llmsize.views.shared.wording import in_sentence, listed_text, shape_numbers

MAX_SHAPES_OF_TENSOR = 3
"""Maximum number of shapes of one tensor that are listed."""


class TensorKey(NamedTuple):
    """Key by which a tensor is found in both of two models that are compared.

    Attributes:
        is_of_encoder: its stage processes the source tokens of an encoder-decoder.
        stage: id of its stage.
        name: its name.
    """

    is_of_encoder: bool
    stage: str
    name: str


def shapes(model: Model, placed_stages: PlacedStages) -> dict[TensorKey, str]:
    """The shape of each tensor: ``K 6,144 × 1,024``, or ``768 × 3,072`` if it is the only one."""
    stages_by_shape: dict[TensorKey, dict[str, list[PlacedStage]]] = {}
    tensors: dict[TensorKey, tuple[Tensor, Stage]] = {}
    for placed in placed_stages:
        stage = placed.stage
        for tensor in stage.tensors:
            key = TensorKey(is_of_encoder(stage), stage.id, tensor.name)
            shape = shape_numbers(tensor.shape, model.architecture)
            stages_by_shape.setdefault(key, {}).setdefault(shape, []).append(placed)
            tensors[key] = (tensor, stage)
    shown = {key: _shapes_in_layers(model, by_shape) for key, by_shape in stages_by_shape.items()}
    if len({(key.stage, key.name) for key in tensors}) <= 1:
        return shown
    texts: dict[TensorKey, str] = {}
    for key, shape in shown.items():
        tensor, stage = tensors[key]
        name = _name_of(tensor, stage)
        alike = [each for each in tensors if _name_of(*tensors[each]) == name]
        if tensor.label and len({shown[each] for each in alike}) > 1:
            name = _(tensor.label)  # such as norms of queries and of keys whose sizes differ
        texts[key] = _("{component} {shape}", component=name, shape=shape)
    return texts


def _name_of(tensor: Tensor, stage: Stage) -> str:
    """The name of a tensor: of its component or, if the stage has no other tensors, of the stage.

    Tensors of a norm in the stage of an embedding don't count.
    """
    tensors = [t for t in stage.tensors if stage.group is not Group.EMBEDDING or t.is_matrix]
    return in_sentence(names_of([tensor.component]) if len(tensors) > 1 else stage.label)


def _shapes_in_layers(model: Model, by_shape: Mapping[str, PlacedStages]) -> str:
    """``6,144 × 1,024``; ``256 in 50 layers and 512 in 10 layers`` if layers differ."""
    if len(by_shape) == 1:
        (shape,) = by_shape
        return shape
    if len(by_shape) > MAX_SHAPES_OF_TENSOR:
        return _("in {number} shapes", number=len(by_shape))
    return listed_text(
        [parts_in_layers(shape, layers_with(model, stages)) for shape, stages in by_shape.items()]
    )
