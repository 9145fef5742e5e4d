"""Sources of the order of tokens in attention: the kind of positions, the mask and the windows."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.architecture.attention_heads import has_attention
from sphinx_llmsize.architecture.layers import PerLayer
from sphinx_llmsize.architecture.positions import LayerPositions, Positions
from sphinx_llmsize.architecture.stages import Group, Source
from sphinx_llmsize.config.symbols import T_SOURCE, L
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.text_pairs import NO_TEXTS, Models, Texts, if_different
from sphinx_llmsize.views.in_words.part_components import PlacedStages
from sphinx_llmsize.views.in_words.windows_in_words import window_sizes, windows
from sphinx_llmsize.views.shared.wording import listed_text

CAUSAL = N_("causal")
BIDIRECTIONAL = N_("bidirectional")


def order_differs(models: Models) -> bool:
    """True if attention has another mask, or another kind of positions."""
    return any(any(texts) for texts in masks_and_positions(models))


def masks_and_positions(models: Models) -> list[Texts]:
    """Masks and kinds of positions of both models; empty texts for those that are the same."""
    return [_different_masks(models), _different_positions(models)]


def _different_masks(models: Models) -> Texts:
    """``causal`` and ``bidirectional``; both are empty if they are the same or not known."""
    one, other = models
    return if_different(_mask(one), _mask(other))


def _different_positions(models: Models) -> Texts:
    """The kinds of positions of both models: ``rotary positions``, ``ALiBi``.

    Both are empty if they are the same in the same share of layers, or if that of one model isn't
    known.
    """
    one, other = models
    shares = _shares_of_positions(one)
    if shares and shares == _shares_of_positions(other):
        return NO_TEXTS
    return if_different(positions_in_words(one), positions_in_words(other))


def different_windows(models: Models, parts: tuple[PlacedStages, PlacedStages]) -> Texts:
    """Attention windows of a part of both models; empty if they are the same or not known."""
    one, other = models
    part, part_of_other = parts
    return if_different(windows(one, part), windows(other, part_of_other))


def different_window_sizes(models: Models) -> Texts:
    """Attention windows of both models; empty if their sizes are the same, in whichever layers."""
    one, other = models
    stages, stages_of_other = (list(model.architecture.placed_stages()) for model in models)
    if window_sizes(one, stages) == window_sizes(other, stages_of_other):
        return NO_TEXTS
    return different_windows(models, (stages, stages_of_other))


def positions_in_words(model: Model) -> str:
    """The kinds of positions: as declared by the family, or as its tensors show; empty if unknown.

    Only attention has positions. Without weights, they can be of any kind.
    """
    if not has_attention(model.architecture):
        return ""
    if declared := _declared_positions(model):
        return declared
    with_weights = _kinds_with_weights(model)
    return listed_text([_(kind.label) for kind in Positions if kind in with_weights])


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
    declared = model.family.positions
    return declared(model.config) if callable(declared) else declared


def _declared_positions(model: Model) -> str:
    """``rotary positions in 27 of 36 layers``; empty if the family doesn't declare any."""
    positions = _positions_of_family(model)
    if not isinstance(positions, PerLayer):
        return _(positions.label) if positions else ""
    layers = _layers_with_attention(model)
    counts = positions.counts(layers)
    if len(counts) == 1:
        return listed_text([_(kind.label) for kind in counts])
    return listed_text(
        [
            _("{positions} in {n} of {all} layers", positions=_(kind.label), n=n, all=len(layers))
            for kind, n in counts.items()
            if kind is not Positions.NONE
        ]
    )


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
        if "position_embedding" in components:
            kinds.add(Positions.ABSOLUTE if is_added else Positions.RELATIVE)
    return kinds


def _mask(model: Model) -> str:
    """``causal`` or ``bidirectional``; empty if unknown, or for an encoder with a decoder.

    Without a KV cache, attention is bidirectional: each token needs the keys of later ones. Without
    attention, the order is that of the mixers, which have a state: causal.
    """
    stages = [placed.stage for placed in model.architecture.placed_stages()]
    mixing = [stage for stage in stages if stage.group is Group.ATTENTION]
    if not mixing:
        mixing = [stage for stage in stages if stage.group is Group.MIXER]
    lengths = {symbol for stage in mixing for symbol in stage.length.symbols()}
    is_encoder_with_decoder = lengths > {T_SOURCE}
    is_unknown = model.family.has_other_mask or model.architecture.has_unknown_lengths
    if not mixing or is_unknown or is_encoder_with_decoder:
        return ""
    return _(CAUSAL) if any(stage.caches for stage in mixing) else _(BIDIRECTIONAL)
