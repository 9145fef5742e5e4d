"""Details of parts of different kinds: their layers, and the details of comparable groups.

Attention and mixers, or a dense network and experts, are different kinds. If both models have
attention of a comparable kind, the details in which it differs are listed beside the kinds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.difference.different_details import different_components
from sphinx_llmsize.views.difference.kinds_of_parts import Kinds, parts_of
from sphinx_llmsize.views.difference.masks_and_positions import (
    different_windows,
    masks_and_positions,
)
from sphinx_llmsize.views.difference.pairs import (
    DescriptionPair,
    Descriptions,
    Models,
    different_at_all_sizes,
    without_repetition,
)
from sphinx_llmsize.views.in_words.attention_in_words import (
    WITH_KEY_VALUE_HEADS,
    kind_of_attention,
)
from sphinx_llmsize.views.in_words.description import layers_fact
from sphinx_llmsize.views.in_words.layers_in_words import (
    describe_layers,
    describe_shared_weights,
    describe_times_of_attention,
    part_in_encoder_and_decoder,
)
from sphinx_llmsize.views.in_words.part_components import PlacedStages, layers_with
from sphinx_llmsize.views.in_words.part_details import DETAILS_OF_ATTENTION
from sphinx_llmsize.views.in_words.parts_in_words import describe_group

IN_LAYERS = (Aspect.SEQUENCE, Aspect.FEED_FORWARD)
"""Parts that some layers may have and others not."""


def details_beside_kinds(same_sizes: Models, own_sizes: Models, aspect: Aspect) -> Descriptions:
    """The details in which parts of different kinds differ, for each model.

    They are masks, positions and windows of attention, the details of comparable groups, the number
    of times that each layer has attention, and shared weights.

    Args:
        same_sizes: the models, the second one with the sizes of the first.
        own_sizes: the models with their own sizes, to be described.
        aspect: the part.
    """
    if aspect not in IN_LAYERS:
        return [], []
    groups = {
        group: _are_comparable(same_sizes, group) and _are_comparable(own_sizes, group)
        for group in aspect.value
    }
    at_same_sizes, at_own_sizes = (
        [
            pair
            for group, are_comparable in groups.items()
            for pair in _details_of_group(models, group, are_comparable=are_comparable)
        ]
        for models in (same_sizes, own_sizes)
    )
    different = different_at_all_sizes(at_same_sizes, at_own_sizes)
    if _have_different_layers(same_sizes, own_sizes, aspect):
        different.append(_shared_weights(own_sizes, aspect))
    if aspect is Aspect.SEQUENCE:
        attention = _groups(own_sizes, Group.ATTENTION)
        different = [
            *masks_and_positions(own_sizes),
            *different,
            different_windows(own_sizes, attention),
        ]
    return without_repetition(different)


def with_different_layers(
    parts: Kinds, same_sizes: Models, own_sizes: Models, aspect: Aspect
) -> Kinds:
    """``gated FFN in 32 layers``, ``FFN in 24 layers``: parts with their layers, if these differ.

    The layers are not added to parts of several groups and those with shared weights, whose texts
    or details name them, nor beside biases in some layers, which name all layers.

    Args:
        parts: descriptions of the part of both models, of different kinds.
        same_sizes: the models, the second one with the sizes of the first.
        own_sizes: the models with their own sizes, to be described.
        aspect: the part.
    """
    if aspect not in IN_LAYERS or not _have_different_layers(same_sizes, own_sizes, aspect):
        return parts
    before, after = (
        replace(part, text=part_in_encoder_and_decoder(model, placed, part.text))
        if _has_one_group(placed)
        and not describe_shared_weights(model, placed)
        and layers_fact(layers_with(model, placed)) not in part.facts
        else part
        for part, model, placed in zip(parts, own_sizes, parts_of(own_sizes, aspect), strict=True)
    )
    return before, after


def _have_different_layers(same_sizes: Models, own_sizes: Models, aspect: Aspect) -> bool:
    """True if the layers with the part differ, not only because the sizes do."""
    return bool(different_at_all_sizes([_layers(same_sizes, aspect)], [_layers(own_sizes, aspect)]))


def _layers(models: Models, aspect: Aspect) -> DescriptionPair:
    """The layers with the part, and those that share weights, in both models."""
    one, other = (
        describe_shared_weights(model, placed) or describe_layers(model, placed)
        for model, placed in zip(models, parts_of(models, aspect), strict=True)
    )
    return one, other


def _shared_weights(models: Models, aspect: Aspect) -> DescriptionPair:
    """Layers that share weights; parts of several groups name those of each group themselves."""
    one, other = (
        describe_shared_weights(model, placed) if _has_one_group(placed) else None
        for model, placed in zip(models, parts_of(models, aspect), strict=True)
    )
    return one, other


def _has_one_group(placed_stages: PlacedStages) -> bool:
    """True for stages of one group, such as attention without mixers."""
    return len({placed.stage.group for placed in placed_stages}) == 1


def _details_of_group(
    models: Models, group: Group, *, are_comparable: bool
) -> Iterator[DescriptionPair]:
    """The number of times that each layer has attention; all details of a comparable group."""
    one, other = _groups(models, group)
    if group is Group.ATTENTION:
        yield (
            describe_times_of_attention(models[0], one),
            describe_times_of_attention(models[1], other),
        )
    if not are_comparable:
        return
    yield from different_components(models, (one, other))
    for detail in DETAILS_OF_ATTENTION if group is Group.ATTENTION else ():
        yield detail(models[0], one), detail(models[1], other)


def _are_comparable(models: Models, group: Group) -> bool:
    """True if both models have the group, of kinds whose components can be compared.

    The kind may depend on sizes: without shared experts, experts are of another kind.
    """
    one, other = _groups(models, group)
    return bool(one and other) and _comparable(models[0], one) == _comparable(models[1], other)


def _comparable(model: Model, placed_stages: PlacedStages) -> Hashable:
    """The kind of a group, the same for those whose components can be compared."""
    if placed_stages[0].stage.group is Group.ATTENTION:
        kind = kind_of_attention(model, placed_stages)
        return WITH_KEY_VALUE_HEADS if kind in WITH_KEY_VALUE_HEADS else kind
    return describe_group(model, placed_stages).about


def _groups(models: Models, group: Group) -> tuple[PlacedStages, PlacedStages]:
    """The stages of a group in both models."""
    one, other = (list(model.architecture.placed_stages(group)) for model in models)
    return one, other
