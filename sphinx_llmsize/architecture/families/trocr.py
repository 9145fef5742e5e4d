"""TrOCR's text decoder, which reads the output of an image encoder."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import sizes
from sphinx_llmsize.architecture.families.bart import RESERVED_POSITIONS
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import Note
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import D, P
from sphinx_llmsize.config.tasks import Task, counted_for
from sphinx_llmsize.translation import N_

D_SRC = Symbol("D_src", N_("dimension of the encoder output"))
SOURCE_DIM = size_key(D_SRC, "source_dim", "cross_attention_hidden_size", optional=True)
LEARNED_POSITIONS = flag(
    "learned_positions", N_("positions are learned"), "use_learned_position_embeddings"
)
EMBEDDING_NORM = flag("embedding_norm", N_("a norm on the embeddings"), "layernorm_embedding")


def trocr(config: Config) -> tuple[Item, ...]:
    """BART's decoder alone; its cross-attention reads vectors of width D_src."""
    source = D_SRC if config.has(D_SRC) else D
    layer = parts.post_norm_decoder(
        parts.layer_norm,
        parts.multi_head_attention(bias=True),
        parts.cross_attention(bias=True, source=source),
        parts.mlp(bias=True),
    )
    positions = parts.position_embedding(P + RESERVED_POSITIONS)
    embeddings = (
        parts.token_embedding(),
        *((positions,) if config.flag(LEARNED_POSITIONS) else ()),
        *((parts.embedding_norm(),) if config.flag(EMBEDDING_NORM) else ()),
    )
    return parts.decoder(config, layer, norm=None, embeddings=embeddings)


TROCR = Family(
    model_type="trocr",
    title="TrOCR decoder",
    source="https://arxiv.org/abs/2109.10282",
    architectures=("TrOCRForCausalLM",),
    defaults={
        **sizes(D=1024, L=12, H=16, F=4096, V=50_265, P=512),
        k.ARCHITECTURES: None,
        SOURCE_DIM: None,
        LEARNED_POSITIONS: True,
        EMBEDDING_NORM: True,
        k.TIE_EMBEDDINGS: True,
    },
    compose=trocr,
    rules=(ATTENTION_HEADS, counted_for(Task.CONTINUATION)),
    names={
        "decoder_layers": k.NUM_LAYERS,
        "decoder_attention_heads": k.NUM_HEADS,
        "decoder_ffn_dim": k.FFN_DIM,
    },
    notes=(Note(N_("This is the text decoder; the image encoder is not counted here.")),),
)

FAMILIES = (TROCR,)
