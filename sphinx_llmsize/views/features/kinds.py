"""Sentences on the kind of a model: encoders, hybrids, experts, parallel blocks.

Each function returns an empty text for a model of another kind.
"""

from __future__ import annotations

from collections.abc import Iterable

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture.stages import (
    Group,
    Parallel,
    Residual,
    Source,
    Step,
    stages_of,
)
from sphinx_llmsize.formats import percent, short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.numbers.byte_measures import has_kv_cache
from sphinx_llmsize.views.shared.encoders import has_cross_attention, has_encoder

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
    count = model.architecture.count
    stacks = tuple(model.architecture.stacks())
    reading = [s for s in stacks if any(p.stage.source is Source.ENCODER for p in s.placed_stages)]
    number = sum(count(stack.uses) for stack in reading)
    return ngettext(
        "Cross-attention: of {layers} layers, {n} attends to the output of an encoder, which isn't "
        "part of this model.",
        "Cross-attention: of {layers} layers, {n} attend to the output of an encoder, which isn't "
        "part of this model.",
        number,
        layers=sum(count(stack.uses) for stack in stacks),
        n=number,
    )


def hybrid(model: Model) -> str:
    """Sentence on a model with attention and other mixers of sequences; empty for others."""
    attention, mixers = _layers_with(model, Group.ATTENTION), _layers_with(model, Group.MIXER)
    if not attention or not mixers:
        return ""
    layers = sum(model.architecture.count(stack.uses) for stack in model.architecture.stacks())
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
    if not any(_has_parallel_attention(stack.block) for stack in model.architecture.stacks()):
        return ""
    return _("Parallel blocks: attention and the FFN read the same input.")


def residual_streams(model: Model) -> str:
    """Sentence on weights in residual connections; empty for models without them.

    A single number as the gate of a connection doesn't count.
    """
    residual = [p for p in model.architecture.placed_stages() if p.stage.group is Group.RESIDUAL]
    parameters = model.parameters_in(Group.RESIDUAL)
    if not any(tensor.parameters != ONE for p in residual for tensor in p.stage.tensors):
        return ""
    return _(
        "Weights in the residual connections: {number} parameters.", number=thousands(parameters)
    )


def is_encoder_decoder(model: Model) -> bool:
    """True for a model with an encoder and cross-attention to it."""
    return has_encoder(model) and has_cross_attention(model)


def is_encoder(model: Model) -> bool:
    """True for a model that generates no text."""
    if has_kv_cache(model) or model.architecture.has_unknown_lengths:
        return False
    return not has_cross_attention(model)


def _layers_with(model: Model, group: Group) -> int:
    """Number of layers with a stage of this group."""
    placed_stages = model.architecture.placed_stages()
    stacks = dict.fromkeys(p.stack for p in placed_stages if p.stack and p.stage.group is group)
    return sum(model.architecture.count(stack.uses) for stack in stacks)


def _has_parallel_attention(steps: Iterable[Step]) -> bool:
    """True if a parallel step has attention in one branch, and a feed-forward network in another.

    Steps in residual connections count too.
    """
    for step in steps:
        if isinstance(step, Residual) and _has_parallel_attention(step.steps):
            return True
        if isinstance(step, Parallel):
            groups = [{stage.group for stage in stages_of(branch)} for branch in step.branches]
            others = [each for each in groups if Group.ATTENTION not in each]
            has_attention = len(others) < len(groups)
            if has_attention and any(each & FEED_FORWARD for each in others):
                return True
    return False
