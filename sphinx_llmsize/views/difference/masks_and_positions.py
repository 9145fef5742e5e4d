"""Masks, positions and windows of attention: those in which two models differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from sphinx_llmsize.architecture.attention_heads import has_attention
from sphinx_llmsize.architecture.layers import PerLayer
from sphinx_llmsize.architecture.positions import LayerPositions, Positions
from sphinx_llmsize.architecture.stages import Group, Source
from sphinx_llmsize.config.symbols import T_SOURCE, L
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.pairs import (
    NO_DIFFERENCE,
    DescriptionPair,
    Models,
    if_different,
)
from sphinx_llmsize.views.in_words.description import Description, named
from sphinx_llmsize.views.in_words.part_components import (
    FACTS_ON_RELATIVE_POSITIONS,
    TABLE_OF_POSITIONS,
    PlacedStages,
)
from sphinx_llmsize.views.in_words.windows_in_words import describe_window_sizes, describe_windows
from sphinx_llmsize.views.shared.wording import listed_text

CAUSAL = N_("causal")
BIDIRECTIONAL = N_("bidirectional")
IN_SOME = "in some layers"
"""First item of ``about`` in descriptions of positions that only some layers have."""


def masks_or_positions_differ(models: Models) -> bool:
    """True if attention has another mask, or another kind of positions."""
    return any(any(pair) for pair in masks_and_positions(models))


def masks_and_positions(models: Models) -> list[DescriptionPair]:
    """Masks and kinds of positions of both models; no descriptions of those that are the same."""
    return [if_different(*map(_mask, models)), _different_positions(models)]


def _different_positions(models: Models) -> DescriptionPair:
    """The kinds of positions of both models: ``rotary positions``, ``ALiBi``.

    No descriptions if both models have the same kinds in the same shares of their layers, or if the
    kinds of one model aren't known.
    """
    one, other = models
    shares = _shares_of_positions(one)
    if shares and shares == _shares_of_positions(other):
        return NO_DIFFERENCE
    before, after = if_different(describe_positions(one), describe_positions(other))
    return _in_all_layers(before, after), _in_all_layers(after, before)


def different_windows(models: Models, parts: tuple[PlacedStages, PlacedStages]) -> DescriptionPair:
    """Attention windows of a part of both models; none if they are the same or not known."""
    one, other = models
    part, part_of_other = parts
    return if_different(describe_windows(one, part), describe_windows(other, part_of_other))


def different_window_sizes(models: Models) -> DescriptionPair:
    """Attention windows of both models; none if their sizes are the same, in whichever layers."""
    one, other = models
    stages, stages_of_other = (list(model.architecture.placed_stages()) for model in models)
    if describe_window_sizes(one, stages) == describe_window_sizes(other, stages_of_other):
        return NO_DIFFERENCE
    return different_windows(models, (stages, stages_of_other))


def describe_positions(model: Model) -> Description | None:
    """The kinds of positions: as declared by the family, or as its tensors show; None if unknown.

    Only attention has positions. Without weights, they can be of any kind.
    """
    if not has_attention(model.architecture):
        return None
    declared = _positions_of_family(model)
    if isinstance(declared, PerLayer):
        layers = _layers_with_attention(model)
        counts = declared.counts(layers)
        if len(counts) > 1:
            return _positions_in_layers(counts, len(layers))
        kinds = set(counts)
    else:
        kinds = {declared} if declared else _kinds_with_weights(model)
    in_order = tuple(kind for kind in Positions if kind in kinds)
    if not in_order:
        return None
    text = listed_text([_(kind.label) for kind in in_order])
    of_relative = FACTS_ON_RELATIVE_POSITIONS if Positions.RELATIVE in kinds else frozenset()
    return Description(in_order, of_relative.union(in_order), text)


def _in_all_layers(
    positions: Description | None, of_other: Description | None
) -> Description | None:
    """``rotary positions in all layers``, beside a model that has them in some layers only."""
    if positions is None or of_other is None or of_other.about != (IN_SOME, positions.about):
        return positions
    return replace(positions, text=_("{positions} in all layers", positions=positions.text))


def _positions_in_layers(counts: Mapping[Positions, int], layers: int) -> Description:
    """``rotary positions in 27 of 36 layers``."""
    shown = {kind: n for kind, n in counts.items() if kind is not Positions.NONE}
    texts = [
        _("{positions} in {n} of {all} layers", positions=_(kind.label), n=n, all=layers)
        for kind, n in shown.items()
    ]
    facts = ((kind, n, layers) for kind, n in shown.items())
    return Description((IN_SOME, tuple(shown)), frozenset(facts), listed_text(texts))


def _shares_of_positions(model: Model) -> dict[Positions, Fraction]:
    """The kinds of positions that the family declares, with their shares of the layers.

    Empty for a model without attention, or if the family doesn't declare them for each layer.
    """
    positions = _positions_of_family(model)
    if not isinstance(positions, PerLayer) or not has_attention(model.architecture):
        return {}
    layers = _layers_with_attention(model)
    counts = positions.counts(layers)
    return {kind: Fraction(number, len(layers)) for kind, number in counts.items()}


def _positions_of_family(model: Model) -> LayerPositions:
    """The positions that the family declares."""
    return model.config.value_of(model.family.positions)


def _layers_with_attention(model: Model) -> list[int]:
    """The numbers of the layers with attention, from 0."""
    all_layers = range(model.config.count(L))  # a stack of all layers has no numbers
    return [
        number
        for stack in model.architecture.stacks()
        if any(placed.stage.group is Group.ATTENTION for placed in stack.placed_stages)
        for number in stack.numbers or all_layers
    ]


def _kinds_with_weights(model: Model) -> set[Positions]:
    """The kinds of positions that have tensors: tables added to embeddings, or biases of scores."""
    kinds: set[Positions] = set()
    for placed in model.architecture.placed_stages():
        is_added = placed.stage.source is Source.INDICES and placed.stage.group is Group.EMBEDDING
        components = {tensor.component for tensor in placed.stage.tensors}
        if TABLE_OF_POSITIONS in components:
            kinds.add(Positions.ABSOLUTE if is_added else Positions.RELATIVE)
    return kinds


def _mask(model: Model) -> Description | None:
    """``causal`` or ``bidirectional``; None if unknown, or for an encoder with a decoder.

    Without a KV cache, attention is bidirectional: each token needs the keys of later ones. Without
    attention, the mask is that of the mixers, which have a state: causal.
    """
    architecture = model.architecture
    attention = list(architecture.placed_stages(Group.ATTENTION))
    mixing = [p.stage for p in attention or architecture.placed_stages(Group.MIXER)]
    lengths = {symbol for stage in mixing for symbol in stage.length.symbols()}
    is_encoder_with_decoder = lengths > {T_SOURCE}
    is_unknown = model.family.has_special_mask or architecture.has_unknown_lengths
    if not mixing or is_unknown or is_encoder_with_decoder:
        return None
    return named(CAUSAL if any(stage.caches for stage in mixing) else BIDIRECTIONAL)
