"""Conventions by which a model's parameters are counted, each with its count."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from sphinx_llmsize.algebra import product
from sphinx_llmsize.architecture.classes import classes
from sphinx_llmsize.architecture.parts.embeddings import PER_LAYER_EMBEDDING
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.config.keys.common import ARCHITECTURES
from sphinx_llmsize.config.keys.experts import MTP_LAYERS
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.config.tasks import Task, task_of_class
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.translation import N_
from sphinx_llmsize.views.naming.advertised import CountedParameters
from sphinx_llmsize.views.numbers.part_selection import OUTSIDE_LAYERS

ZERO_EXPERTS = "zero_experts"
"""Id of the stages with zero-computation experts, as in LongCat-Flash."""
MTP_FAMILIES = frozenset(("deepseek_v3", "deepseek_v32", "glm4_moe", "glm4_moe_lite", "mimo"))
"""Families whose layers for multi-token prediction are those of DeepSeek-V3."""
VISION_TOWER = "counted.vision_tower"
"""Name of the count with the vision tower."""


@dataclass(frozen=True)
class Convention:
    """A way to count parameters.

    Attributes:
        name: name of the count in the role ``llm-size``.
        label: description of the count, translated where it is shown.
        count: function from a model to the count.
        kind: kind of number in a model's name that the count may explain.
        is_published: True if makers of models publish such counts.
        label_without_head: description if no head has weights of its own; empty for the same.
    """

    name: str
    label: str
    count: Callable[[Model], int]
    kind: CountedParameters = CountedParameters.ALL
    is_published: bool = True
    label_without_head: str = ""


def untied_total(model: Model) -> int:
    """The total if a tied LM head had a matrix of its own."""
    total = model.total
    for placed in model.architecture.placed_stages():
        for tensor in placed.stage.tensors:
            if tensor.tied_to and placed.stage.group is Group.HEAD:
                total += model.architecture.count(product(placed.layers, *tensor.stored_shape))
    return total


def _of_one_expert(model: Model) -> int:
    """The total if each layer had only one of its experts."""
    count = model.architecture.count
    return sum(
        count(placed.layers * tensor.parameters_of_one_expert)
        for placed in model.architecture.placed_stages()
        for tensor in placed.stage.tensors
    )


def _active_without_embeddings(model: Model) -> int:
    """The parameters that one token uses, without embeddings and LM head."""
    placed_stages = model.architecture.placed_stages()
    in_layers = (placed for placed in placed_stages if placed.stage.group not in OUTSIDE_LAYERS)
    return sum(model.architecture.count(placed.active) for placed in in_layers)


def _effective(model: Model) -> int:
    """The total without the per-layer embeddings, as Gemma 3n counts it."""
    return model.total - model.components.get(PER_LAYER_EMBEDDING, 0)


def _without_zero_experts(model: Model) -> int:
    """The total without the matrices of experts that return their input, which are never used."""
    placed_stages = model.architecture.placed_stages()
    unused = (placed for placed in placed_stages if placed.stage.id == ZERO_EXPERTS)
    return model.total - sum(model.architecture.count(placed.parameters) for placed in unused)


def _with_mtp(model: Model) -> int:
    """The total with the layers that predict further tokens; they share embedding and LM head.

    Each is a layer like the last one, a projection from two vectors to one, and three norms
    (DeepSeek-V3, https://arxiv.org/abs/2412.19437).
    """
    layers = dict(model.config.settings).get(MTP_LAYERS)
    if model.model_type not in MTP_FAMILIES or type(layers) is not int:
        return model.total
    stacks = tuple(model.architecture.stacks())
    last = max(stacks, key=lambda stack: max(stack.numbers, default=0))
    projection_and_norms = 2 * D * D + 3 * D
    layer = sum((p.stage.parameters for p in last.placed_stages), start=projection_and_norms)
    return model.total + layers * model.architecture.count(layer)


def _with_vision_tower(model: Model) -> int:
    """The total with the vision tower of a released model, which isn't counted otherwise."""
    if not model.preset or model.changes:
        return model.total
    return model.preset.with_vision_tower or model.total


def _with_pretraining_heads(model: Model) -> int:
    """The total of the family's class for pre-training; that of the model if there is none."""
    for class_name in classes().get(model.model_type, ()):
        if task_of_class(class_name) is Task.PRETRAINING:
            change = section_of({ARCHITECTURES.name: [class_name]})
            return apply_changes(model, change).total
    return model.total


CONVENTIONS = (
    Convention("total", N_("All parameters"), lambda model: model.total),
    Convention("counted.untied", N_("With the tied LM head counted again"), untied_total),
    Convention(
        "counted.without_head",
        N_("Without the head"),
        lambda model: model.total - model.parameters_in(Group.HEAD),
        is_published=False,
    ),
    Convention(
        "counted.without_embedding",
        N_("Without the embeddings"),
        lambda model: model.total - model.parameters_in(Group.EMBEDDING),
    ),
    Convention(
        "non_embedding", N_("Without embeddings and head"), lambda model: model.non_embedding
    ),
    Convention(
        "counted.pretraining", N_("With the heads for pretraining"), _with_pretraining_heads
    ),
    Convention(
        "counted.without_zero_experts",
        N_("Without the zero-computation experts"),
        _without_zero_experts,
    ),
    Convention(VISION_TOWER, N_("With the vision tower"), _with_vision_tower),
    Convention("counted.mtp", N_("With the layers for multi-token prediction"), _with_mtp),
    Convention(
        "active", N_("Active parameters"), lambda model: model.active, CountedParameters.ACTIVE
    ),
    Convention(
        "active.non_embedding",
        N_("Active parameters without embeddings and head"),
        _active_without_embeddings,
        CountedParameters.ACTIVE,
        label_without_head=N_("Active parameters without embeddings"),
    ),
    Convention(
        "counted.one_expert",
        N_("With one expert in each layer"),
        _of_one_expert,
        CountedParameters.EXPERT,
    ),
    Convention(
        "counted.effective",
        N_("Without the per-layer embeddings"),
        _effective,
        CountedParameters.EFFECTIVE,
    ),
)
"""The conventions, the most common first."""


@dataclass(frozen=True)
class Count:
    """A model's count by a convention.

    Attributes:
        convention: the convention.
        parameters: the count.
        label: description of the count in this model.
    """

    convention: Convention
    parameters: int
    label: str


def counts(model: Model, kinds: Collection[CountedParameters]) -> Iterator[Count]:
    """The model's counts by the conventions of these kinds, without repeating equal counts."""
    seen: set[int] = set()
    has_head = bool(model.architecture.heads_with_weights)
    for convention in CONVENTIONS:
        if convention.kind not in kinds:
            continue
        parameters = convention.count(model)
        if parameters not in seen:
            seen.add(parameters)
            label = "" if has_head else convention.label_without_head
            yield Count(convention, parameters, label or convention.label)
