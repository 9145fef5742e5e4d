"""Layers of a part in words: how many have it, how many times each, and which share weights."""

from __future__ import annotations

from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.in_words.description import Description, layers_fact, with_number
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    layers_with,
    parts_in_layers,
    times_in_each_layer,
)
from sphinx_llmsize.views.shared.encoders import processes_source


def number_of_empty_layers(model: Model) -> int:
    """Number of layers that L counts, but that have no stages (Nemotron-NAS)."""
    numbers = {number for stack in model.architecture.stacks() for number in stack.numbers}
    layers = model.config.sizes.get(L)
    if not layers or not numbers:  # a stack of all layers lists no numbers: none is empty
        return 0
    return layers - len(numbers)


def describe_times_of_attention(_model: Model, placed_stages: PlacedStages) -> Description | None:
    """``2 in each layer``: number of times that a layer has attention, if it isn't 1.

    The unused model makes it a detail like others, see :data:`part_details.Detail`.
    """
    attention = [placed for placed in placed_stages if placed.stage.group is Group.ATTENTION]
    return describe_times_in_each_layer(attention)


def describe_times_in_each_layer(placed_stages: PlacedStages) -> Description | None:
    """``2 in each layer``: number of times that a layer has these stages, if it isn't 1."""
    number = times_in_each_layer(placed_stages)
    if number == 1:
        return None
    return with_number("in each layer", number, _("{number} in each layer", number=number))


def describe_shared_weights(model: Model, placed_stages: PlacedStages) -> Description | None:
    """``the same weights in 12 layers``, ``2 sets of weights in 12 layers``."""
    count = model.architecture.count
    shared, repeating = stacks_with_shared_weights(model, placed_stages)
    if not shared:
        return None
    layers = sum(count(stack.uses) for stack in (*shared, *repeating))
    sets = sum(count(stack.layers) for stack in shared)
    if sets > 1:
        text = _("{sets} sets of weights in {n} layers", sets=sets, n=layers)
    else:
        text = ngettext(
            "the same weights in {n} layer", "the same weights in {n} layers", layers, n=layers
        )
    facts = (("sets", sets), layers_fact(layers))
    return Description(("shared weights", sets > 1), frozenset(facts), text)


def stacks_with_shared_weights(
    model: Model, placed_stages: PlacedStages
) -> tuple[list[Stack], list[Stack]]:
    """The stacks of these stages whose layers are used several times, and those that repeat them.

    Returns:
        Stacks whose layers have weights that are used several times: in place (ALBERT), or by
        another stack that repeats them (Funnel Transformer). Then the repeating stacks, which have
        no weights of their own.
    """
    stacks = list(dict.fromkeys(placed.stack for placed in placed_stages if placed.stack))
    repeated = {stack.repeats for stack in stacks}
    count = model.architecture.count
    shared = [each for each in stacks if count(each.passes) > 1 or each.id in repeated]
    return shared, [stack for stack in stacks if stack.repeats]


def describe_layers(model: Model, placed_stages: PlacedStages) -> Description | None:
    """``in 24 layers``, ``in 12 encoder layers and 12 decoder layers``."""
    encoder, decoder = _encoder_and_decoder_layers(model, placed_stages)
    if encoder and decoder:
        text = _(
            "in {encoder} encoder layers and {decoder} decoder layers",
            encoder=encoder,
            decoder=decoder,
        )
        return with_number("encoder and decoder layers", (encoder, decoder), text)
    layers = encoder + decoder
    if not layers:
        return None
    text = ngettext("in {n} layer", "in {n} layers", layers, n=layers)
    return Description("layers", frozenset((layers_fact(layers),)), text)


def part_in_layers(model: Model, placed_stages: PlacedStages, part: str) -> str:
    """``gated FFN in 24 layers``; if these share weights, ``… with 2 sets of weights in …``.

    Args:
        model: the model.
        placed_stages: stages of one group.
        part: name of the part that they are: ``gated FFN``.
    """
    layers = layers_with(model, placed_stages)
    shared = describe_shared_weights(model, placed_stages)
    if shared and layers_fact(layers) in shared.facts:
        return _("{part} with {shared_weights}", part=part, shared_weights=shared.text)
    return parts_in_layers(part, layers)


def part_in_encoder_and_decoder(model: Model, placed_stages: PlacedStages, part: str) -> str:
    """``FFN in 12 encoder layers and 12 decoder layers``; other models: ``FFN in 24 layers``.

    Args:
        model: the model.
        placed_stages: all stages of a part, of one group, without shared weights.
        part: name of the part: ``FFN``.
    """
    encoder, decoder = _encoder_and_decoder_layers(model, placed_stages)
    if not encoder or not decoder:
        return parts_in_layers(part, encoder + decoder)
    return _(
        "{part} in {encoder} encoder layers and {decoder} decoder layers",
        part=part,
        encoder=encoder,
        decoder=decoder,
    )


def _encoder_and_decoder_layers(model: Model, placed_stages: PlacedStages) -> tuple[int, int]:
    """Numbers of layers of the encoder and of the decoder that have one of the stages.

    A layer of the encoder processes only source tokens. Layers of the decoder do so, too, for the
    keys and values of cross-attention, but not only. A model without an encoder has no source.
    """
    decoder_stacks = {
        placed.stack for placed in placed_stages if not processes_source(placed.stage)
    }
    decoder = [placed for placed in placed_stages if placed.stack in decoder_stacks]
    encoder = [placed for placed in placed_stages if placed.stack not in decoder_stacks]
    return layers_with(model, encoder), layers_with(model, decoder)
