"""Norms that only one of two models has, or has in other layers, if all others are the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.difference.kinds_of_parts import Kinds
from sphinx_llmsize.views.difference.pairs import Models
from sphinx_llmsize.views.in_words.description import Description, listed_phrases
from sphinx_llmsize.views.in_words.norms_in_words import (
    describe_norms_in_layers,
    describe_norms_outside_attention,
    split_by_attention,
)
from sphinx_llmsize.views.in_words.part_components import PlacedStages, id_without_number
from sphinx_llmsize.views.in_words.parts_in_words import placed_stages_of_part


def different_norms(same_sizes: Models, own_sizes: Models) -> Kinds | None:
    """``Q and K norms in 32 layers, and embedding norm``: the norms in which two models differ.

    The text is empty for a model that has only norms of the other one. None if other norms differ,
    too, in their kind, number or places, or if no norms do.

    Args:
        same_sizes: the models, the second one with the sizes of the first.
        own_sizes: the models with their own sizes, to be described.
    """
    only_in_one = _ids_only_in_one(same_sizes)
    if only_in_one is None:
        return None
    in_attention = [list(_describe_in_attention(model)) for model in same_sizes]
    is_in_attention = in_attention[0] != in_attention[1]
    before, after = (
        _joined(
            [
                *_describe(model, _with_ids(_outside_attention(model), only_in_one)),
                *(_describe_in_attention(model) if is_in_attention else ()),
            ]
        )
        for model in own_sizes
    )
    return (before, after) if before != after else None


def _ids_only_in_one(models: Models) -> set[str] | None:
    """Ids of norms outside attention that only one of the models has.

    None if other norms differ, too. Empty if both models have as many norms of the same kind.
    """
    one, other = map(_outside_attention, models)
    if _are_as_many(models, one, other):
        return set()
    ids, ids_of_other = (
        {id_without_number(placed.stage) for placed in part} for part in (one, other)
    )
    shared = ids & ids_of_other
    if shared not in (ids, ids_of_other):
        return None
    if not _are_as_many(models, _with_ids(one, shared), _with_ids(other, shared)):
        return None
    return ids ^ ids_of_other


def _are_as_many(models: Models, norms: PlacedStages, norms_of_other: PlacedStages) -> bool:
    """True for as many norms of the same kind in both models."""
    one, other = models
    described = describe_norms_outside_attention(one, norms)
    return described == describe_norms_outside_attention(other, norms_of_other)


def _with_ids(placed_stages: PlacedStages, ids: Collection[str]) -> PlacedStages:
    """The stages with these ids; a second copy in a layer has the id of the first."""
    return [placed for placed in placed_stages if id_without_number(placed.stage) in ids]


def _outside_attention(model: Model) -> PlacedStages:
    """The norms outside attention."""
    _in_attention, others = split_by_attention(placed_stages_of_part(model, Aspect.NORMS))
    return others


def _describe_in_attention(model: Model) -> Iterator[Description]:
    """``Q and K norms in 32 layers``; nothing without such norms."""
    in_attention, _others = split_by_attention(placed_stages_of_part(model, Aspect.NORMS))
    return _describe(model, in_attention)


def _describe(model: Model, placed_stages: PlacedStages) -> Iterator[Description]:
    """The descriptions of these norms, in layers and outside them; nothing if there are none."""
    in_layers = [placed for placed in placed_stages if placed.stack]
    outside = [placed for placed in placed_stages if not placed.stack]
    return (describe_norms_in_layers(model, part) for part in (in_layers, outside) if part)


def _joined(descriptions: list[Description]) -> Description:
    """One description of them all; norms outside the layers come last."""
    in_order = sorted(descriptions, key=lambda each: not each.facts)  # only layers are facts
    return Description(
        ("norms", *(each.about for each in descriptions)),
        frozenset().union(*(each.facts for each in descriptions)),
        listed_phrases([each.text for each in in_order]),
    )
