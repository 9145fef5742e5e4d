"""Shapes of the tensors of a part, in numbers: ``K 6,144 × 1,024``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.in_words.description import Description
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    layers_with,
    names_of,
    parts_in_layers,
)
from sphinx_llmsize.views.shared.encoders import processes_source
from sphinx_llmsize.views.shared.wording import in_sentence, listed_text, shape_numbers

MAX_SHAPES_OF_TENSOR = 3
"""Maximum number of shapes of one tensor that are listed."""


class TensorKey(NamedTuple):
    """Key by which a tensor is found in both of two models that are compared.

    Attributes:
        is_of_source: its stage processes the source tokens of an encoder-decoder.
        stage: id of its stage.
        component: its component.
        name: its role or, if others in the stage have the same component and role, its name.
    """

    is_of_source: bool
    stage: str
    component: str
    name: str


Shapes = dict[TensorKey, Description]
"""Shapes of tensors."""


def has_layers(description: Description) -> bool:
    """True for shapes with their numbers of layers."""
    return any(isinstance(fact, tuple) for fact in description.facts)


def describe_shapes(model: Model, placed_stages: PlacedStages) -> Shapes:
    """The shape of each tensor: ``K 6,144 × 1,024``, or ``768 × 3,072`` if it is the only one."""
    stages_by_shape: dict[TensorKey, dict[str, list[PlacedStage]]] = {}
    tensors: dict[TensorKey, tuple[Tensor, Stage]] = {}
    for placed in placed_stages:
        stage = placed.stage
        numbers = Counter((tensor.component, tensor.role) for tensor in stage.tensors)
        for tensor in stage.tensors:
            is_only = numbers[tensor.component, tensor.role] == 1
            name = tensor.role.name if is_only else tensor.name
            key = TensorKey(processes_source(stage), stage.id, tensor.component, name)
            shape = shape_numbers(tensor.shape, model.architecture)
            stages_by_shape.setdefault(key, {}).setdefault(shape, []).append(placed)
            tensors[key] = (tensor, stage)
    shown = {key: _in_layers(model, by_shape) for key, by_shape in stages_by_shape.items()}
    # the same tensor in an encoder and a decoder is still the only one
    if len({key._replace(is_of_source=False) for key in tensors}) <= 1:
        return shown
    found: Shapes = {}
    for key, in_layers in shown.items():
        tensor, stage = tensors[key]
        name = _name_of(tensor, stage)
        alike = [each for each in tensors if _name_of(*tensors[each]) == name]
        if tensor.label and len({shown[each] for each in alike}) > 1:
            name = _(tensor.label)  # such as norms of queries and of keys whose sizes differ
        text = _("{component} {shape}", component=name, shape=in_layers.text)
        found[key] = Description(("shape", name), in_layers.facts, text)
    return found


def _name_of(tensor: Tensor, stage: Stage) -> str:
    """The name of a tensor: of its component or, if the stage has no other tensors, of the stage.

    Tensors of a norm in the stage of an embedding don't count. All matrices of an FFN are named by
    their component, beside each other.
    """
    tensors = [t for t in stage.tensors if stage.group is not Group.EMBEDDING or t.is_matrix]
    is_one_of_several = len(tensors) > 1 or stage.group is Group.FEED_FORWARD
    return in_sentence(names_of([tensor.component]) if is_one_of_several else stage.label)


def _in_layers(model: Model, by_shape: Mapping[str, PlacedStages]) -> Description:
    """``6,144 × 1,024``; ``256 in 50 layers and 512 in 10 layers`` if layers differ."""
    if len(by_shape) == 1:
        (text,) = by_shape
        return Description("shape", frozenset(by_shape), text)
    if len(by_shape) > MAX_SHAPES_OF_TENSOR:
        text = _("in {number} shapes", number=len(by_shape))
        return Description("shape", frozenset((len(by_shape),)), text)
    layers = {shape: layers_with(model, stages) for shape, stages in by_shape.items()}
    text = listed_text([parts_in_layers(shape, number) for shape, number in layers.items()])
    return Description("shape", frozenset(layers.items()), text)
