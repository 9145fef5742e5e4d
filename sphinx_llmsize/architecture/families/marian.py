"""Marian: BART's layers, optionally with separate embeddings of the encoder and the decoder."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bart import LIKE_BART, encoder_decoder, post_norm_stacks
from sphinx_llmsize.architecture.family import Items, variant
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import V
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

V_DEC = Symbol("V_dec", N_("vocabulary size of the decoder"))
DECODER_VOCAB_SIZE = k.size_key(V_DEC, "decoder_vocab_size", optional=True)
SHARED_EMBEDDINGS = k.flag(
    "shares_embeddings share_encoder_decoder_embeddings",
    N_("one token embedding for both stacks"),
)


def marian(config: Config) -> Items:
    """BART's layers, sinusoidal positions stored as a table, optionally separate embeddings."""
    encoder, decoder = post_norm_stacks(config, (parts.position_embedding(),))
    task = task_of(config)
    if task is Task.CONTINUATION:
        return _marian_decoder(config, decoder)
    one_table = config.flag(SHARED_EMBEDDINGS) and config.flag(k.TIE_EMBEDDINGS)
    if one_table or task is Task.ENCODER_STATES:
        return encoder_decoder(config, encoder, decoder)
    return _marian_with_two_tables(config, encoder, decoder)


def _marian_decoder(config: Config, decoder: Items) -> Items:
    """Marian's decoder without the encoder, with an LM head."""
    tied = config.flag(k.TIE_EMBEDDINGS)
    # in transformers, an untied head has the encoder's vocabulary
    head = _marian_head(tied=tied, vocabulary=V_DEC if tied else V)
    return (parts.decoder_embedding(shared=False, vocabulary=V_DEC), *decoder, *head)


def _marian_with_two_tables(config: Config, encoder: Items, decoder: Items) -> Items:
    """Marian with separate embeddings of the encoder and the decoder."""
    shared = config.flag(SHARED_EMBEDDINGS)
    # with share_encoder_decoder_embeddings but untied weights, transformers creates a shared table
    # that neither stack uses
    unused = (parts.unused_embedding(),) if shared else ()
    decoder_embedding = parts.decoder_embedding(shared=False, vocabulary=V_DEC)
    body = (*unused, parts.token_embedding(), *encoder, decoder_embedding, *decoder)
    if task_of(config) is Task.HIDDEN_STATES:
        return body
    tied = config.flag(k.TIE_EMBEDDINGS)
    return (*body, *_marian_head(tied=tied, vocabulary=V if shared else V_DEC))


def _marian_head(*, tied: bool, vocabulary: Symbol) -> Block:
    """LM head with the vocabulary V of the encoder or V_dec of the decoder."""
    return parts.with_sizes((parts.lm_head(tied=tied),), {V: vocabulary})


MARIAN = variant(
    LIKE_BART,
    "marian",
    "Marian",
    "MarianMTModel",
    "https://arxiv.org/abs/1804.00344",
    defaults={k.VOCAB_SIZE: 58_101, DECODER_VOCAB_SIZE: None, SHARED_EMBEDDINGS: True},
    compose=marian,
    rules=(*LIKE_BART.rules, k.same_as(k.VOCAB_SIZE, DECODER_VOCAB_SIZE)),
)
