"""Description of the norms that differ between two models, if all their other norms are the same.

These are norms outside attention that only one of the models has, and norms in attention, unless
both models have the same norms there, in equally many layers.
"""

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

    The text is empty for a model all of whose norms the other model has as well.

    None if norms outside attention that both models have differ in their kind or number, if each
    model has norms there that the other lacks, or if no norms differ.

    Args:
        same_sizes: the models, the second one with the sizes of the first.
        own_sizes: the models with their own sizes, to be described.
    """
    only_in_one = _ids_only_in_one(same_sizes)
    if only_in_one is None:
        return None
    in_attention = [list(_describe_in_attention(model)) for model in same_sizes]
    attention_norms_differ = in_attention[0] != in_attention[1]
    before, after = (
        _joined(
            [
                *_describe(model, _with_ids(_outside_attention(model), only_in_one)),
                *(_describe_in_attention(model) if attention_norms_differ else ()),
            ]
        )
        for model in own_sizes
    )
    return (before, after) if before != after else None


def _ids_only_in_one(models: Models) -> set[str] | None:
    """Ids of norms outside attention that only one of the models has.

    Empty if the norms outside attention have the same description in both models. None if each
    model has some that the other lacks, or if those that both have differ in their description.
    """
    one, other = map(_outside_attention, models)
    if _are_described_alike(models, one, other):
        return set()
    ids, ids_of_other = (
        {id_without_number(placed.stage) for placed in part} for part in (one, other)
    )
    shared = ids & ids_of_other
    # if each model has norms of its own, they may replace each other: none was added or removed
    if not (ids <= ids_of_other or ids_of_other <= ids):
        return None
    if not _are_described_alike(models, _with_ids(one, shared), _with_ids(other, shared)):
        return None
    return ids ^ ids_of_other


def _are_described_alike(models: Models, norms: PlacedStages, norms_of_other: PlacedStages) -> bool:
    """True if norms of both models have the same description: their kind and number.

    The description also says whether there are norms after blocks.
    """
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
    """One description of several; norms outside the layers come last."""
    # only descriptions of norms in layers state a fact, the number of layers
    in_order = sorted(descriptions, key=lambda each: not each.facts)
    return Description(
        ("norms", *(each.about for each in descriptions)),
        frozenset().union(*(each.facts for each in descriptions)),
        listed_phrases([each.text for each in in_order]),
    )
