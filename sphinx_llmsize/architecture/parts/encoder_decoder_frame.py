"""The frame of encoder-decoders (Vaswani et al. 2017, https://arxiv.org/abs/1706.03762).

The decoder attends to the encoder's vectors, one for each of T_src tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sphinx_llmsize.algebra import Size, Symbol
from sphinx_llmsize.architecture.parts.blocks import without_cache
from sphinx_llmsize.architecture.parts.embeddings import lm_head, token_embedding
from sphinx_llmsize.architecture.parts.layer_kinds import DECODER, ENCODER
from sphinx_llmsize.architecture.parts.other_sizes import with_sizes
from sphinx_llmsize.architecture.parts.weights import table
from sphinx_llmsize.architecture.stacks import Item, LayerKind, Stack
from sphinx_llmsize.architecture.stages import Block, Group, Source, Stage, stages_of
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import L_DEC, L_ENC, T_SEEN, T_SOURCE, D, T, V
from sphinx_llmsize.config.tasks import Task, counted_for, task_of
from sphinx_llmsize.translation import N_

StackSizes = Mapping[Symbol, Size]

SEQUENCE_TASKS = counted_for(
    Task.OTHER_SEQUENCE, Task.HIDDEN_STATES, Task.ENCODER_STATES, Task.CONTINUATION
)


def encoder_stack(
    block: Block, *, before: Block = (), after: Block = (), sizes: StackSizes | None = None
) -> tuple[Item, ...]:
    """The encoder's layers and what stands around them.

    Args:
        block: of a layer.
        before: stages between the token embedding and the layers.
        after: stages after the layers.
        sizes: what to put for the symbols of a model with one stack.
    """
    own = {T: T_SOURCE, T_SEEN: T_SOURCE, **(sizes or {})}
    return (
        *_named(ENCODER, with_sizes(before, own)),
        Stack("encoder", L_ENC, without_cache(with_sizes(block, own)), (ENCODER,)),
        *_named(ENCODER, with_sizes(after, own)),
    )


def decoder_stack(
    block: Block, *, before: Block = (), after: Block = (), sizes: StackSizes | None = None
) -> tuple[Item, ...]:
    """The decoder's layers and what stands around them; as :func:`encoder_stack`."""
    own = sizes or {}
    return (
        *_named(DECODER, with_sizes(before, own)),
        Stack("decoder", L_DEC, with_sizes(block, own), (DECODER,)),
        *_named(DECODER, with_sizes(after, own)),
    )


def _named(kind: LayerKind, block: Block) -> Block:
    """Stages told apart from those of the other stack."""
    return tuple(
        replace(
            stage,
            id=f"{kind.id}_{stage.id}",
            label=N_("{stage} ({part})", stage=stage.label, part=kind.label),
        )
        for stage in stages_of(block)
    )


def sequence_to_sequence(
    config: Config,
    encoder: tuple[Item, ...],
    decoder: tuple[Item, ...],
    *,
    shared: bool,
    tied: bool,
    tied_alone: bool | None = None,
) -> tuple[Item, ...]:
    """Both stacks with their embeddings and the LM head; or what of it the task needs.

    Args:
        config: says what the weights are for.
        encoder: its stack, with what stands around it.
        decoder: the same for the decoder.
        shared: the stacks share one token embedding.
        tied: the LM head uses it too.
        tied_alone: the same for the decoder on its own, where that differs.
    """
    task = task_of(config, Task.OTHER_SEQUENCE)
    if task is Task.ENCODER_STATES:
        return (token_embedding(), *encoder)
    if task is Task.CONTINUATION:
        head = lm_head(tied=tied if tied_alone is None else tied_alone)
        return (token_embedding(), *decoder, head)
    body = (
        *(() if shared else (unused_embedding(),)),
        *with_sizes((token_embedding(),), {T: T_SOURCE}),
        *encoder,
        decoder_embedding(shared=shared),
        *decoder,
    )
    return body if task is Task.HIDDEN_STATES else (*body, lm_head(tied=tied))


def decoder_embedding(*, shared: bool, tokens: Size = V) -> Stage:
    """The decoder's token embedding: the encoder's, or one of its own."""
    tied_to = N_("the encoder's token embedding") if shared else ""
    weight = table("decoder_embedding.weight", (tokens, D), "token_embedding", tied_to=tied_to)
    label = N_("Token embedding (decoder)")
    return Stage(
        "decoder_embedding", label, Group.EMBEDDING, (T, D), (weight,), source=Source.TOKENS
    )


def unused_embedding() -> Stage:
    """What transformers builds for both stacks to share, and keeps where they do not share it."""
    weight = table("unused_embedding.weight", (V, D), "token_embedding")
    return Stage("unused_embedding", N_("Unused embedding"), Group.EMBEDDING, (T,), (weight,))
