"""Encoders and encoder-decoders: embeddings, layers, and a head for each task.

Devlin et al. 2018, https://arxiv.org/abs/1810.04805, section 3; Vaswani et al. 2017,
https://arxiv.org/abs/1706.03762.
"""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Number, Size
from sphinx_llmsize.architecture.parts.block_edits import with_sizes
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_projection,
    lm_head,
    token_embedding,
)
from sphinx_llmsize.architecture.parts.encoder_decoder_stacks import encoder_alone
from sphinx_llmsize.architecture.parts.weights import linear, norm_tensors, table, vector
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Group, Source, Stage, side_by_side
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import T_SOURCE, D, T, V
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

POOLED = (Task.HIDDEN_STATES, Task.PRETRAINING)
"""Tasks with a pooler in BERT."""


def projection_to_hidden(width: Size) -> Block:
    """A matrix width × D after the embeddings; none where their width is D.

    Lan et al. 2019, https://arxiv.org/abs/1909.11942, section 3.1
    """
    return () if width == D else (embedding_projection(width, bias=True),)


def pooler() -> Stage:
    """A matrix D × D and a bias, applied to the first token's vector for the whole sequence."""
    tensors = linear("pooler", D, D, "pooler", bias=True)
    return Stage("pooler", N_("Pooler"), Group.HEAD, (ONE, D), tensors)


def sequence_classifier(id: str, label: str, classes: int) -> Stage:
    """A matrix D × classes and a bias: one score for each class of the whole sequence."""
    tensors = linear(id, D, Number(classes), id, bias=True)
    return Stage(id, label, Group.HEAD, (ONE, Number(classes)), tensors)


def masked_token_head(*, tied: bool, width: Size = D, shared_bias: bool = True) -> Block:
    """A matrix D × width, a norm, and the projection to the vocabulary.

    Args:
        tied: the projection uses the token embedding's weights.
        width: dimensions of the token embedding.
        shared_bias: one bias on the scores; otherwise two, as in transformers' BERT without tied
            weights.
    """
    # the component lm_head_bias includes the norm: transformers has both in one module
    norm = norm_tensors("head_norm", width, "lm_head_bias")
    transform = linear("head_transform", D, width, "lm_head", bias=True)
    other_bias = () if shared_bias else (second_bias(),)
    return (
        Stage("head_transform", N_("Head transform"), Group.HEAD, (T, width), transform),
        Stage("head_norm", N_("Head norm"), Group.HEAD, (T, width), norm),
        lm_head(tied=tied, bias=True, width=width),
        *other_bias,
    )


def second_bias() -> Stage:
    """A second bias of V numbers on the scores of the LM head."""
    bias = vector("head_bias", V, "lm_head_bias", Role.BIAS)
    return Stage("head_bias", N_("Head bias"), Group.HEAD, (T, V), (bias,))


def encoder_head(
    config: Config, *, token_head: Block, pretraining: Block = (), pooled: tuple[Task, ...] = POOLED
) -> Block:
    """Pooler and head of an encoder, if its task uses them.

    Args:
        config: the configuration; its ``architectures`` set the task.
        token_head: head for masked or next tokens.
        pretraining: heads for pretraining.
        pooled: tasks with a pooler.
    """
    task = task_of(config)
    pool = (pooler(),) if task in pooled else ()
    if task is Task.HIDDEN_STATES:
        return pool
    return side_by_side(pool, pretraining if task is Task.PRETRAINING else token_head)


SEQUENCE_TASKS = (
    Task.OTHER_SEQUENCE,
    Task.HIDDEN_STATES,
    Task.ENCODER_STATES,
    Task.CONTINUATION,
)
"""Tasks for which encoder-decoders' ``compose`` makes the head; :attr:`Family.heads` has others."""


def sequence_to_sequence(
    config: Config,
    encoder: tuple[Item, ...],
    decoder: tuple[Item, ...],
    *,
    shared: bool,
    tied: bool,
    tied_without_encoder: bool | None = None,
) -> tuple[Item, ...]:
    """An encoder-decoder with embeddings and LM head, or the part that the task uses.

    Args:
        config: the configuration; its ``architectures`` set the task.
        encoder: from :func:`encoder_stack`.
        decoder: from :func:`decoder_stack`.
        shared: encoder and decoder share one token embedding.
        tied: the LM head uses the token embedding's weights.
        tied_without_encoder: ``tied`` for a decoder without an encoder; defaults to ``tied``.
    """
    task = task_of(config)
    if task in {Task.ENCODER_STATES, Task.TOKEN_CLASSES}:
        return (token_embedding(), *encoder_alone(encoder))
    if task is Task.CONTINUATION:
        head = lm_head(tied=tied if tied_without_encoder is None else tied_without_encoder)
        return (token_embedding(), *decoder, head)
    unused = () if shared else (unused_embedding(),)
    body = (
        *unused,
        *with_sizes((token_embedding(),), {T: T_SOURCE}),
        *encoder,
        decoder_embedding(shared=shared),
        *decoder,
    )
    return body if task is Task.HIDDEN_STATES else (*body, lm_head(tied=tied))


DECODER_EMBEDDING = N_("Token embedding (decoder)")
"""Label of the decoder's token embedding."""


def decoder_embedding(*, shared: bool, vocabulary: Size = V) -> Stage:
    """The decoder's token embedding, with the encoder's weights (``shared``) or separate ones."""
    tied_to = N_("the encoder's token embedding") if shared else ""
    weight = table("decoder_embedding.weight", (vocabulary, D), "token_embedding", tied_to=tied_to)
    return Stage(
        "decoder_embedding",
        DECODER_EMBEDDING,
        Group.EMBEDDING,
        (T, D),
        (weight,),
        source=Source.TOKENS,
    )


def unused_embedding() -> Stage:
    """An embedding V × D that transformers creates but nothing uses."""
    weight = table("unused_embedding.weight", (V, D), "token_embedding")
    # the output is the token ids, unchanged
    return Stage("unused_embedding", N_("Unused embedding"), Group.EMBEDDING, (T,), (weight,))
