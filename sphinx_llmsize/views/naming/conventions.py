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
from sphinx_llmsize.views.naming.advertised import SizeKind
from sphinx_llmsize.views.numbers.parts import OUTSIDE_LAYERS


@dataclass(frozen=True)
class Convention:
    """A way to count parameters.

    Attributes:
        name: name of the count in the role ``llm-size``.
        label: description of the count, translated where it is shown.
        count: function from a model to the count.
        kind: kind of the numbers in models' names that this count may explain.
    """

    name: str
    label: str
    count: Callable[[Model], int]
    kind: SizeKind = SizeKind.ALL


def untied_total(model: Model) -> int:
    """The total with an own matrix for a tied LM head."""
    count, places = model.architecture.count, model.architecture.places()
    copies = (
        count(product(place.layers, *tensor.stored_shape))
        for place in places
        for tensor in place.stage.tensors
        if tensor.tied_to and place.stage.group is Group.HEAD
    )
    return model.total + sum(copies)


def _of_one_expert(model: Model) -> int:
    """The total if each layer had only one of its experts."""
    count, places = model.architecture.count, model.architecture.places()
    return sum(
        count(place.layers * tensor.parameters_of_one_expert)
        for place in places
        for tensor in place.stage.tensors
    )


def _active_without_embeddings(model: Model) -> int:
    """The parameters that one token uses, without embeddings and LM head."""
    count, places = model.architecture.count, model.architecture.places()
    return sum(count(place.active) for place in places if place.stage.group not in OUTSIDE_LAYERS)


def _effective(model: Model) -> int:
    """The total without the per-layer embeddings, as Gemma 3n counts it."""
    return model.total - model.components.get(PER_LAYER_EMBEDDING, 0)


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
    own = sum((place.stage.parameters for place in last.places), start=2 * D * D + 3 * D)
    return model.total + layers * model.architecture.count(own)


def _with_pretraining_heads(model: Model) -> int:
    """The total of the class for pre-training in transformers, if the family has one."""
    names = (name for name in classes().get(model.model_type, ()) if _is_for_pretraining(name))
    changes = [section_of({ARCHITECTURES.name: [name]}) for name in names]
    return apply_changes(model, changes[0]).total if changes else model.total


def _is_for_pretraining(class_name: str) -> bool:
    return task_of_class(class_name) is Task.PRETRAINING


MTP_FAMILIES = frozenset(("deepseek_v3", "deepseek_v32", "glm4_moe", "glm4_moe_lite", "mimo"))
"""Families whose layers for multi-token prediction are those of DeepSeek-V3."""
CONVENTIONS = (
    Convention("total", N_("All parameters"), lambda model: model.total),
    Convention("counted.untied", N_("With the tied LM head counted again"), untied_total),
    Convention(
        "counted.without_head",
        N_("Without the head"),
        lambda model: model.total - model.in_groups(Group.HEAD),
    ),
    Convention(
        "counted.without_embedding",
        N_("Without the embeddings"),
        lambda model: model.total - model.in_groups(Group.EMBEDDING),
    ),
    Convention(
        "non_embedding", N_("Without embeddings and head"), lambda model: model.non_embedding
    ),
    Convention(
        "counted.pretraining", N_("With the heads for pretraining"), _with_pretraining_heads
    ),
    Convention("counted.mtp", N_("With the layers for multi-token prediction"), _with_mtp),
    Convention("active", N_("Active parameters"), lambda model: model.active, SizeKind.ACTIVE),
    Convention(
        "active.non_embedding",
        N_("Active parameters without embeddings and head"),
        _active_without_embeddings,
        SizeKind.ACTIVE,
    ),
    Convention(
        "counted.one_expert", N_("With one expert in each layer"), _of_one_expert, SizeKind.EXPERT
    ),
    Convention(
        "counted.effective", N_("Without the per-layer embeddings"), _effective, SizeKind.EFFECTIVE
    ),
)
"""The conventions, the most common first."""


@dataclass(frozen=True)
class Count:
    """A model's count by a convention."""

    convention: Convention
    parameters: int


def counts(model: Model, kinds: Collection[SizeKind]) -> Iterator[Count]:
    """The model's counts by the conventions of these kinds; equal ones by the first of them."""
    seen: set[int] = set()
    for convention in CONVENTIONS:
        if convention.kind not in kinds:
            continue
        parameters = convention.count(model)
        if parameters not in seen:
            seen.add(parameters)
            yield Count(convention, parameters)
