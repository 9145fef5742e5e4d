"""TrOCR: a decoder for an image encoder."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.families.bart import RESERVED_POSITIONS
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import Note
from sphinx_llmsize.architecture.parts.attention import multi_head_attention
from sphinx_llmsize.architecture.parts.blocks import post_norm_decoder
from sphinx_llmsize.architecture.parts.cross_attention import cross_attention
from sphinx_llmsize.architecture.parts.decoder import decoder as decoder_only
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_norm,
    position_embedding,
    token_embedding,
)
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.tasks import Task, counted_for
from sphinx_llmsize.config.vocabulary import (
    ARCHITECTURES,
    FFN_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    P,
)

D_SRC = Symbol("D_src", "dimension of the encoder's vectors")
SOURCE_DIM = size_key(D_SRC, "source_dim", "cross_attention_hidden_size", optional=True)
LEARNED_POSITIONS = flag(
    "learned_positions", "positions are learned", "use_learned_position_embeddings"
)
EMBEDDING_NORM = flag("embedding_norm", "a norm on the embeddings", "layernorm_embedding")


def trocr(config: Config) -> tuple[Item, ...]:
    """BART's decoder on its own, its cross-attention as wide as the encoder's vectors."""
    source = D_SRC if config.has(D_SRC) else D
    layer = post_norm_decoder(
        layer_norm,
        multi_head_attention(bias=True),
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

FAMILIES = (TROCR,)
