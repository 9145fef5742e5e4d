"""Sentences on the kind of a model: encoders, hybrids, experts, parallel blocks.

Each function returns an empty text for a model of another kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sphinx_llmsize.architecture.stages import Group, Parallel, Residual, Source, Step, stages_of
from sphinx_llmsize.config.symbols import T_SOURCE
from sphinx_llmsize.formats import percent, short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.byte_measures import has_kv_cache

FEED_FORWARD = {Group.FEED_FORWARD, Group.EXPERTS}


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
    return _(
        "Hybrid: of {layers} layers, {attention} have attention, and {mixers} a mixer whose state "
        "has the same size after any number of tokens.",
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
    if not any(_is_parallel(stack.block) for stack in model.architecture.stacks()):
        return ""
    return _("Parallel blocks: attention and the feed-forward network read the same input.")


def residual_streams(model: Model) -> str:
    """Sentence on weights in residual connections; empty for models without them."""
    parameters = model.parameters_in(Group.RESIDUAL)
    if not parameters:
        return ""
    return _(
        "Weights in the residual connections: {number} parameters.", number=thousands(parameters)
    )


def _layers_with(model: Model, group: Group) -> int:
    """Number of layers with a stage of this group."""
    placed_stages = model.architecture.placed_stages()
    stacks = dict.fromkeys(p.stack for p in placed_stages if p.stack and p.stage.group is group)
    return sum(model.architecture.count(stack.uses) for stack in stacks)


def _is_parallel(steps: Iterable[Step]) -> bool:
    """True if attention and a feed-forward network are in branches of one parallel step."""
    for branches in _parallels(steps):
        groups = [_groups_of(branch) for branch in branches]
        has_attention = any(Group.ATTENTION in each for each in groups)
        without_attention = [each for each in groups if Group.ATTENTION not in each]
        if has_attention and any(each & FEED_FORWARD for each in without_attention):
            return True
    return False


def _parallels(steps: Iterable[Step]) -> Iterator[tuple[tuple[Step, ...], ...]]:
    """The branches of each parallel step, also inside residual connections."""
    for step in steps:
        if isinstance(step, Parallel):
            yield step.branches
        elif isinstance(step, Residual):
            yield from _parallels(step.steps)


def _groups_of(steps: Iterable[Step]) -> set[Group]:
    return {stage.group for stage in stages_of(steps)}


def _has_encoder(model: Model) -> bool:
    """True if a stage computes from the encoder's text, unlike cross-attention to an image."""
    return any(
        T_SOURCE in placed.stage.length.symbols() and placed.stage.source is not Source.ENCODER
        for placed in model.architecture.placed_stages()
    )


def is_encoder_decoder(model: Model) -> bool:
    """True for a model with an encoder and cross-attention to it."""
    return _has_encoder(model) and _has_cross_attention(model)


def is_encoder(model: Model) -> bool:
    """True for a model that generates no text."""
    if has_kv_cache(model) or model.architecture.has_unknown_lengths:
        return False
    return not _has_cross_attention(model)


def _has_cross_attention(model: Model) -> bool:
    """True if a stage reads the output of an encoder, unlike those of an encoder alone."""
    return any(
        placed.stage.source is Source.ENCODER for placed in model.architecture.placed_stages()
    )
