"""ProphetNet, which predicts several tokens ahead, and TrOCR, a decoder for an image encoder."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.families.bart import (
    BART,
    IN_DECODER,
    IN_ENCODER,
    RESERVED_POSITIONS,
    both_stacks,
    classes_of,
    wide_attention,
)
from sphinx_llmsize.architecture.families.t5 import NUM_BUCKETS, B
from sphinx_llmsize.architecture.family import Family, Note
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import post_norm, post_norm_decoder
from sphinx_llmsize.architecture.parts.cross_attention import cross_attention
from sphinx_llmsize.architecture.parts.decoder import decoder as decoder_only
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_norm,
    position_embedding,
    token_embedding,
)
from sphinx_llmsize.architecture.parts.encoder import further_embedding
from sphinx_llmsize.architecture.parts.encoder_decoder import decoder, encoder, unused_embedding
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.pieces import Block, Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.tasks import Task, counted_for, task_of
from sphinx_llmsize.config.vocabulary import (
    ADD_CROSS_ATTENTION,
    ARCHITECTURES,
    FFN_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    H,
    P,
)

N_AHEAD = Symbol("n", "tokens predicted ahead")
D_SRC = Symbol("D_src", "dimension of the encoder's vectors")

NUM_AHEAD = size_key(N_AHEAD, "num_tokens_ahead", "ngram")
SOURCE_DIM = size_key(D_SRC, "source_dim", "cross_attention_hidden_size", optional=True)
LEARNED_POSITIONS = flag(
    "learned_positions", "positions are learned", "use_learned_position_embeddings"
)
EMBEDDING_NORM = flag("embedding_norm", "a norm on the embeddings", "layernorm_embedding")


def prophetnet(config: Config) -> tuple[Item, ...]:
    """BART with as many positions as there are; the decoder looks at its own predictions too."""
    before = (position_embedding(), embedding_norm())
    ahead = further_embedding("ngram", "Embedding of the tokens ahead", N_AHEAD)
    feed_forward = mlp(bias=True)
    layer = post_norm(layer_norm, ahead_attention(), feed_forward)
    if config.flag(ADD_CROSS_ATTENTION):
        cross = cross_attention(bias=True)
        layer = post_norm_decoder(layer_norm, ahead_attention(), cross, feed_forward)
    items = both_stacks(
        config,
        encoder(
            post_norm(layer_norm, wide_attention(bias=True), feed_forward),
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
    return grouped_query_attention(bias=True, width=D, kv_width=D, scores=relative)


def trocr(config: Config) -> tuple[Item, ...]:
    """BART's decoder on its own, its cross-attention as wide as the encoder's vectors."""
    source = D_SRC if config.has(D_SRC) else D
    layer = post_norm_decoder(
        layer_norm,
        wide_attention(bias=True),
        cross_attention(bias=True, source=source),
        mlp(bias=True),
    )
    positions = position_embedding(P + RESERVED_POSITIONS)
    embeddings = (
        token_embedding(),
        *((positions,) if config.flag(LEARNED_POSITIONS) else ()),
        *((embedding_norm(),) if config.flag(EMBEDDING_NORM) else ()),
    )
    return decoder_only(config, layer, norm=None, embeddings=embeddings)


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
TROCR = Family(
    model_type="trocr",
    title="TrOCR decoder",
    source="https://arxiv.org/abs/2109.10282",
    architectures=("TrOCRForCausalLM",),
    defaults={
        ARCHITECTURES: None,
        HIDDEN_DIM: 1024,
        NUM_LAYERS: 12,
        NUM_HEADS: 16,
        FFN_DIM: 4096,
        VOCAB_SIZE: 50_265,
        MAX_POSITIONS: 512,
        SOURCE_DIM: None,
        LEARNED_POSITIONS: True,
        EMBEDDING_NORM: True,
        TIE_EMBEDDINGS: True,
    },
    compose=trocr,
    rules=(ATTENTION_HEADS, counted_for(Task.CONTINUATION)),
    names={
        "decoder_layers": NUM_LAYERS,
        "decoder_attention_heads": NUM_HEADS,
        "decoder_ffn_dim": FFN_DIM,
    },
    notes=(Note("This is the decoder; the image encoder that it attends to is not counted."),),
)

FAMILIES = (PROPHETNET, TROCR)
