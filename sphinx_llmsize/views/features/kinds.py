"""Sentences on the kind of a model: encoders, hybrids, experts, parallel blocks.

Each function returns an empty text for a model of another kind.
"""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture.stages import Group, Source
from sphinx_llmsize.formats import percent, short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.difference.layer_arrangement import parallel_feed_forward
from sphinx_llmsize.views.in_words.part_components import layers_with
from sphinx_llmsize.views.shared.encoders import (
    has_cross_attention,
    has_encoder,
    is_encoder,
    is_encoder_decoder,
)

FEED_FORWARD = {Group.FEED_FORWARD, Group.EXPERTS}
"""Groups of the stages of a feed-forward network."""


def encoder_decoder(model: Model) -> str:
    """Sentence on a model with an encoder and cross-attention to it; empty for others."""
    if not is_encoder_decoder(model):
        return ""
    return _(
        "Encoder and decoder: the encoder reads a whole text, and each layer of the decoder "
        "attends to its output besides the text written so far."
    )


def encoder(model: Model) -> str:
    """Sentence on a model that generates no text; empty for others."""
    if not is_encoder(model):
        return ""
    return _("Encoder: all tokens are processed at once, so there is no KV cache.")


def cross_attention(model: Model) -> str:
    """Sentence on cross-attention to an encoder outside the model; empty for other models."""
    if has_encoder(model) or not has_cross_attention(model):
        return ""
    placed_stages = tuple(model.architecture.placed_stages())
    number = layers_with(model, [p for p in placed_stages if p.stage.source is Source.ENCODER])
    return ngettext(
        "Cross-attention: of {layers} layers, {n} attends to the output of an encoder, which isn't "
        "part of this model.",
        "Cross-attention: of {layers} layers, {n} attend to the output of an encoder, which isn't "
        "part of this model.",
        number,
        layers=layers_with(model, placed_stages),
        n=number,
    )


def hybrid(model: Model) -> str:
    """Sentence on a model with attention and mixers with a state; empty for others."""
    architecture = model.architecture
    attention = layers_with(model, architecture.placed_stages(Group.ATTENTION))
    with_state = (p for p in architecture.placed_stages(Group.MIXER) if p.stage.caches)
    mixers = layers_with(model, with_state)
    if not attention or not mixers:
        return ""
    layers = layers_with(model, architecture.placed_stages())
    if attention == mixers == layers:
        return _(
            "Hybrid: each layer has attention, and beside it a mixer whose state has the same size "
            "after any number of tokens."
        )
    return ngettext(
        "Hybrid: of {layers} layers, {attention} has attention, and {mixers} a mixer whose state "
        "has the same size after any number of tokens.",
        "Hybrid: of {layers} layers, {attention} have attention, and {mixers} a mixer whose state "
        "has the same size after any number of tokens.",
        attention,
        layers=layers,
        attention=attention,
        mixers=mixers,
    )


def recurrent(model: Model) -> str:
    """Sentence on a model without attention; empty for others."""
    groups = model.architecture.groups
    if Group.MIXER not in groups or Group.ATTENTION in groups:
        return ""
    return _("No attention: the cached state has the same size after any number of tokens.")


def experts(model: Model) -> str:
    """Sentence on a mixture of experts; empty for others."""
    if Group.EXPERTS not in model.architecture.groups:
        return ""
    return _(
        "Mixture of experts: one token uses {active} of {total} parameters, {share}.",
        active=short(model.active),
        total=short(model.total),
        share=percent(model.active / model.total),
    )


def parallel(model: Model) -> str:
    """Sentence on attention beside the feed-forward network; empty for others."""
    if not any(any(parallel_feed_forward(stack.block)) for stack in model.architecture.stacks()):
        return ""
    return _("Parallel blocks: attention and the FFN read the same input.")


def residual_streams(model: Model) -> str:
    """Sentence on weights in residual connections; empty for models without them.

    A single number as the gate of a connection doesn't count.
    """
    residual = model.architecture.placed_stages(Group.RESIDUAL)
    parameters = model.parameters_in(Group.RESIDUAL)
    if not any(tensor.parameters != ONE for p in residual for tensor in p.stage.tensors):
        return ""
    return _(
        "Weights in the residual connections: {number} parameters.", number=thousands(parameters)
    )
