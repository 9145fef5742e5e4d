"""ProphetNet, which predicts several tokens ahead."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.families.bart import (
    BART,
    IN_DECODER,
    IN_ENCODER,
    both_stacks,
    classes_of,
)
from sphinx_llmsize.architecture.parts.attention import multi_head_attention
from sphinx_llmsize.architecture.parts.blocks import post_norm, post_norm_decoder
from sphinx_llmsize.architecture.parts.cross_attention import cross_attention
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_norm,
    further_embedding,
    position_embedding,
)
from sphinx_llmsize.architecture.parts.encoder_decoder import decoder, encoder, unused_embedding
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.pieces import Block, Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.embeddings import NUM_BUCKETS, B
from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.config.vocabulary import (
    ADD_CROSS_ATTENTION,
    MAX_POSITIONS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    H,
)

N_AHEAD = Symbol("n", "tokens predicted ahead")
NUM_AHEAD = size_key(N_AHEAD, "num_tokens_ahead", "ngram")


def prophetnet(config: Config) -> tuple[Item, ...]:
    """BART with as many positions as there are; the decoder looks at its own predictions too."""
    before = (position_embedding(), embedding_norm())
    ahead = further_embedding("ngram", "Embedding of the tokens ahead", N_AHEAD)
    feed_forward = mlp(bias=True)
    cross = cross_attention(bias=True) if config.flag(ADD_CROSS_ATTENTION) else ()
    layer = post_norm_decoder(layer_norm, ahead_attention(), cross, feed_forward)
    items = both_stacks(
        config,
        encoder(
            post_norm(layer_norm, multi_head_attention(bias=True), feed_forward),
            before=before,
            sizes=IN_ENCODER,
        ),
        decoder(layer, before=(ahead, *before), sizes=IN_DECODER),
    )
    alone = task_of(config, Task.OTHER_SEQUENCE) is Task.CONTINUATION
    tied = config.flag(TIE_EMBEDDINGS)
    return (unused_embedding(), *items) if alone and not tied else items


def ahead_attention() -> Block:
    """Attention whose scores add what a matrix D × B·H makes of each query for each distance."""
    relative = linear("relative_positions", D, B * H, "attn_relative_positions", bias=True)
    return multi_head_attention(bias=True, scores=relative)


PROPHETNET = replace(
    BART,
    model_type="prophetnet",
    title="ProphetNet",
    source="https://arxiv.org/abs/2001.04063",
    architectures=classes_of("ProphetNet"),
    defaults={
        **BART.defaults,
        VOCAB_SIZE: 30_522,
        MAX_POSITIONS: 512,
        NUM_AHEAD: 2,
        NUM_BUCKETS: 32,
        ADD_CROSS_ATTENTION: True,
    },
    compose=prophetnet,
)

FAMILIES = (PROPHETNET,)
