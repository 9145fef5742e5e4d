"""Parts of a model, each with a count, and the ids that select them.

A name such as ``attention.bias.encoder`` selects the parts that have all of its ids. Ids are those
of the model itself: of groups, stages, components, tensors, stacks and kinds of layers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.errors import AbsentNumber, ConfigError, Problem, suggestion, unknown_word
from sphinx_llmsize.translation import N_, _

TOTAL, NON_EMBEDDING = "total", "non_embedding"
"""Ids of all parts, and of those that are not embeddings or the LM head."""
OUTSIDE_LAYERS = (Group.EMBEDDING, Group.HEAD)
"""Groups that ``non_embedding`` excludes."""
GROUP_IDS = tuple(group.value for group in Group)
"""Ids of the groups of stages, such as ``attention``."""
ALWAYS_KNOWN = (TOTAL, NON_EMBEDDING, *GROUP_IDS)
"""Ids that are valid for every model, even if none of its parts has them."""
UNION = "+"
"""Sign between alternative ids, of which a part needs one: ``layers1+layers3``."""
PER_LAYER, NUM_LAYERS = "per_layer", "num_layers"
SUFFIXES = (PER_LAYER, NUM_LAYERS)
"""Last words of a name, for the number in one layer and for the number of layers."""
QKV = "qkv"
"""Id of the projections to queries, keys and values."""
STEPS_OF_QKV = frozenset(("q", "q_down", "q_up", "kv", "kv_down", "kv_up", "queries", "keys"))
"""Stages that are the projections together, in models without one stage for them."""
Ids = tuple[str, ...]
"""The ids in a name, between its dots."""


class PartIds(NamedTuple):
    """The ids of a part, by kind.

    The same id can be of several kinds, which are in order of precedence: in a name, an id is of
    the first kind for which some part of the model has it.

    Attributes:
        group: the group of its stage.
        stage: its stage.
        component: its component; empty for parts without one.
        layers: its stack, the kinds of the stack's layers, and kinds of the part itself.
        words: words of its tensor's name, or others that describe it.
        beginnings: beginnings of its component's id, such as ``mlp`` of ``mlp_gate``.
    """

    group: frozenset[str]
    stage: frozenset[str]
    component: frozenset[str]
    layers: frozenset[str]
    words: frozenset[str]
    beginnings: frozenset[str]


@dataclass(frozen=True, eq=False)
class Part:
    """A tensor, matrix product, output or cached array of a stage, with its count.

    Attributes:
        stage: its stage.
        stack: the stack of the stage; None outside the layers.
        ids: the ids that select it.
        count: its parameters, FLOPs or elements in all layers.
        layers: number of layers that the count is for.
        item: the tensor, or the key of a cached array; None for other parts.
    """

    stage: Stage
    stack: Stack | None
    ids: PartIds
    count: Fraction | int
    layers: int
    item: object = None


def make_part(
    placed: PlacedStage,
    count: Fraction | int,
    layers: int,
    *,
    tensor: Tensor | None = None,
    component: str = "",
    words: Ids = (),
    layer_ids: Ids = (),
    item: object = None,
) -> Part:
    """Make a part of a stage.

    Args:
        placed: the stage, with its stack.
        count: its parameters, FLOPs or elements in all layers.
        layers: number of layers that the count is for.
        tensor: the tensor, whose component and name are ids.
        component: component of a part without a tensor.
        words: further ids, as words.
        layer_ids: further ids, as kinds of layers.
        item: the item of a part without a tensor.
    """
    stage, stack = placed.stage, placed.stack
    if tensor:
        component, item = tensor.component, tensor
        words = (*words, *tensor.name.split("."))
    if stage.id.removesuffix("_2") in STEPS_OF_QKV:
        words = (*words, QKV)
    underscores = (position for position, letter in enumerate(component) if letter == "_")
    ids = PartIds(
        group=frozenset((stage.group.value,)),
        stage=frozenset((stage.id,)),
        component=frozenset((component,) if component else ()),
        layers=frozenset((*layer_ids, *_ids_of_stack(stack))),
        words=frozenset(words),
        beginnings=frozenset(component[:end] for end in underscores),
    )
    return Part(stage, stack, ids, count, layers, item)


def _ids_of_stack(stack: Stack | None) -> Ids:
    """Ids of a stack and of its layers' kinds; none outside the layers."""
    return (stack.id, *(kind.id for kind in stack.kinds)) if stack else ()


def select(
    parts: Sequence[Part], ids: Ids, model_name: str, others: Iterable[str] = ()
) -> tuple[Part, ...]:
    """The parts that have all ids; ``total`` and ``non_embedding`` are ids too.

    If an id is repeated, it is of the next kind that has it: ``embedding.embedding`` is a group and
    a stage.

    Args:
        parts: all parts.
        ids: the ids; each may be alternatives with ``+`` between them.
        model_name: name of the model, for the error.
        others: ids of other numbers, for the error's hint.

    Raises:
        ConfigError: no part has one of the ids, or none has all of them. Groups without parts are
            no error: their number is 0.
    """
    selected = tuple(parts)
    for position, id in enumerate(ids):
        repetition = ids[:position].count(id)
        with_id: set[Part] = set()
        for alternative in id.split(UNION):
            found = _with_id(parts, alternative, repetition)
            if found is None:
                raise _unknown_id(parts, alternative, model_name, others)
            with_id |= found
        selected = tuple(part for part in selected if part in with_id)
    if not selected and not set(ids) <= set(GROUP_IDS):
        message = _("{name} has no {other}", name=model_name, other=repr(".".join(ids)[:60]))
        raise ConfigError(message, Problem.NUMBER, _("no part has all of these ids"))
    return selected


def has_id(parts: Sequence[Part], id: str) -> bool:
    """True if some part has the id; for ids joined with ``+``, if some part has each of them."""
    return all(
        each in ALWAYS_KNOWN or any(each in ids for part in parts for ids in part.ids)
        for each in id.split(UNION)
    )


def begins_with(id: str, words: str) -> bool:
    """True if an id begins with these whole words: ``mlp_gate`` with ``mlp``."""
    return f"{id}_".startswith(f"{words}_")


def ids_of(parts: Iterable[Part]) -> dict[str, None]:
    """All ids of these parts, the more general ones first."""
    ids = dict.fromkeys(ALWAYS_KNOWN)
    for ids_of_kind in zip(*(part.ids for part in parts), strict=True):
        for ids_of_part in dict.fromkeys(ids_of_kind):
            ids |= dict.fromkeys(sorted(ids_of_part))
    return ids


def main_ids(parts: Sequence[Part]) -> dict[str, None]:
    """The ids that lists show: of groups, stages, components, and kinds of layers.

    Stacks are left out, except those of several that have no kinds. So are words of tensors'
    names, and beginnings of other ids.
    """
    ids: dict[str, None] = {}
    for kind in ("group", "stage", "component"):
        ids |= dict.fromkeys(id for part in parts for id in sorted(getattr(part.ids, kind)))
    has_several_stacks = len({part.stack.id for part in parts if part.stack}) > 1
    for part in parts:
        kinds = {kind.id for kind in part.stack.kinds} if part.stack else set()
        stacks = {part.stack.id} if part.stack and (kinds or not has_several_stacks) else set()
        ids |= dict.fromkeys(sorted(part.ids.layers - (stacks - kinds)))
    return ids


def _unknown_id(
    parts: Sequence[Part], id: str, model_name: str, others: Iterable[str]
) -> AbsentNumber:
    """Error for an id that no part has; see :func:`select`."""
    listed = (*main_ids(parts), *others, *SUFFIXES)
    message = N_("{model} has no {name}")
    error = unknown_word(
        message,
        id,
        (*ids_of(parts), *others, *SUFFIXES),
        Problem.NUMBER,
        listed=listed,
        model=model_name,
    )
    longer = [each for each in listed if begins_with(each, id)]
    hint = suggestion(longer[0]) if len(longer) == 1 else error.hint
    return AbsentNumber(error.message, error.problem, hint)


def _with_id(parts: Sequence[Part], id: str, repetition: int) -> frozenset[Part] | None:
    """The parts with an id of one kind; None if no part has it.

    Args:
        parts: all parts.
        id: the id.
        repetition: number of earlier occurrences of the id in the name. The first occurrence (0)
            means the first kind of ids that contains it, the next one the next kind.
    """
    if id == TOTAL:
        return frozenset(parts)
    if id == NON_EMBEDDING:
        return frozenset(part for part in parts if part.stage.group not in OUTSIDE_LAYERS)
    all_kinds = range(len(PartIds._fields))
    kinds = [kind for kind in all_kinds if any(id in part.ids[kind] for part in parts)]
    if kinds:
        kind = kinds[min(repetition, len(kinds) - 1)]
        return frozenset(part for part in parts if id in part.ids[kind])
    # a group of which this model has no parts is known, too
    return frozenset() if id in GROUP_IDS else None
