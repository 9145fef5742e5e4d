"""PEGASUS, BigBird-Pegasus, Blenderbot, M2M-100, LED and TrOCR: relatives of BART."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ZERO, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.families.bart import (
    LIKE_BART,
    RESERVED_POSITIONS,
    encoder_decoder,
    pre_norm_stacks,
    stacks,
)
from sphinx_llmsize.architecture.families.bert import (
    ATTENTION_TYPE,
    BIG_BIRD_ATTENTION_RULE,
    BLOCK_SPARSE,
    is_block_sparse,
)
from sphinx_llmsize.architecture.family import Family, Items, sizes, unset, variant
from sphinx_llmsize.architecture.layers import assign_windows
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.task_heads import NO_OTHER_HEADS
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import L_ENC, D, P
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.translation import N_


def pegasus(config: Config) -> Items:
    """Pre-norm layers of mBART after a table of P positions, learned or sinusoidal."""
    return encoder_decoder(config, *pre_norm_stacks(config, (parts.position_embedding(),)))


def bigbird_pegasus(config: Config) -> Items:
    """PEGASUS with optional attention biases; without the encoder, the LM head is never tied.

    Sparse attention has the same weights as full attention.
    """
    encoder, decoder = pre_norm_stacks(
        config, (parts.position_embedding(),), bias=config.flag(k.ATTENTION_BIAS)
    )
    return encoder_decoder(config, encoder, decoder, tied_without_encoder=False)


def m2m_100(config: Config) -> Items:
    """PEGASUS with sinusoidal positions that are computed, not stored as a table."""
    return encoder_decoder(config, *pre_norm_stacks(config, ()))


P_ENC = Symbol("P_enc", N_("positions of the encoder"))
P_DEC = Symbol("P_dec", N_("positions of the decoder"))

ENCODER_POSITIONS = k.size_key(P_ENC, "encoder_positions max_encoder_position_embeddings")
DECODER_POSITIONS = k.size_key(P_DEC, "decoder_positions max_decoder_position_embeddings")


def led(config: Config) -> Items:
    """BART whose encoder has windows, and separate projections for global attention."""
    norm, feed_forward = parts.layer_norm, parts.mlp(bias=True)
    attention, cross = parts.multi_head_attention(bias=True), parts.cross_attention(bias=True)
    encoder, decoder = stacks(
        config,
        parts.post_norm(norm, global_and_local_attention(), feed_forward),
        parts.post_norm_decoder(norm, attention, cross, feed_forward),
        (parts.position_embedding(P_ENC), parts.embedding_norm()),
        before_decoder=(parts.position_embedding(P_DEC), parts.embedding_norm()),
    )
    windows = parts.two_sided_windows(config)
    encoder = assign_windows(encoder, windows, config.count(L_ENC), two_sided=True)
    return encoder_decoder(config, encoder, decoder)


def global_and_local_attention() -> Block:
    """Attention with separate Q, K and V projections for local and for global tokens.

    A local token attends to a window and to the global tokens, a global token to all tokens.
    """
    local_projections = parts.qkv_projections(bias=True, width=D, kv_width=D)
    global_projections = tuple(
        replace(
            tensor,
            name=f"global_{tensor.name}",
            label=N_("global {name}", name=tensor.label),
            applications=ZERO,  # see GLOBAL_TOKENS_NOTE
        )
        for tensor in local_projections
    )
    output = parts.linear("o_proj", D, D, "attn_o", bias=True)
    projections = (*local_projections, *global_projections)
    qkv_width = 3 * D  # of the local tokens; see GLOBAL_TOKENS_NOTE
    return parts.attention(projections, output, qkv_width=qkv_width, width=D)


GLOBAL_TOKENS_NOTE = CountNote(
    N_(
        "FLOPs and activations: no token is taken to be global, as the task chooses them; the "
        "projections of global tokens cost nothing."
    )
)


D_SRC = Symbol("D_src", N_("dimension of the encoder output"))
SOURCE_DIM = k.size_key(D_SRC, "source_dim cross_attention_hidden_size", optional=True)
HAS_LEARNED_POSITIONS = k.flag(
    "learned_positions use_learned_position_embeddings", N_("learned positions")
)
HAS_EMBEDDING_NORM = k.flag("embedding_norm layernorm_embedding", N_("a norm on the embeddings"))


def trocr(config: Config) -> Items:
    """BART's decoder alone; its cross-attention reads vectors of width D_src, by default D."""
    source = D_SRC if config.has(D_SRC) else D
    layer = parts.post_norm_decoder(
        parts.layer_norm,
        parts.multi_head_attention(bias=True),
        parts.cross_attention(bias=True, source_width=source),
        parts.mlp(bias=True),
    )
    embeddings: Block = (parts.token_embedding(),)
    if config.flag(HAS_LEARNED_POSITIONS):
        embeddings += (parts.position_embedding(P + RESERVED_POSITIONS),)
    if config.flag(HAS_EMBEDDING_NORM):
        embeddings += (parts.embedding_norm(),)
    return parts.decoder(config, layer, norm=None, embeddings=embeddings)


PEGASUS = variant(
    LIKE_BART,
    "pegasus",
    "PEGASUS",
    "PegasusForConditionalGeneration",
    "https://arxiv.org/abs/1912.08777",
    compose=pegasus,
)
BLENDERBOT = variant(
    LIKE_BART,
    "blenderbot",
    "Blenderbot",
    "BlenderbotForConditionalGeneration",
    "https://arxiv.org/abs/2004.13637",
    defaults={
        **sizes(D=2560, V=8008, P=128),
        **sizes(L_enc=2, L_dec=24, H_enc=32, H_dec=32, F_enc=10_240, F_dec=10_240),
    },
    compose=pegasus,
)
BIGBIRD_PEGASUS = variant(
    LIKE_BART,
    "bigbird_pegasus",
    "BigBird-Pegasus",
    "BigBirdPegasusForConditionalGeneration",
    "https://arxiv.org/abs/2007.14062",
    defaults={
        **sizes(V=96_103, P=4096, L_enc=16, L_dec=16),
        k.ATTENTION_BIAS: False,
        ATTENTION_TYPE: BLOCK_SPARSE,
    },
    names={"use_bias": k.ATTENTION_BIAS},
    compose=bigbird_pegasus,
    rules=(*LIKE_BART.rules, BIG_BIRD_ATTENTION_RULE),
    has_sparse_pattern=is_block_sparse,
)
M2M_100 = variant(
    LIKE_BART,
    "m2m_100",
    "M2M-100 and NLLB",
    "M2M100ForConditionalGeneration",
    "https://arxiv.org/abs/2010.11125",
    defaults={k.VOCAB_SIZE: 128_112},
    compose=m2m_100,
    positions=parts.Positions.ABSOLUTE,
)
LED = variant(
    LIKE_BART,
    "led",
    "LED",
    "LEDForConditionalGeneration",
    "https://arxiv.org/abs/2004.05150",
    defaults={ENCODER_POSITIONS: 16_384, DECODER_POSITIONS: 1024, k.TWO_SIDED_WINDOW: 512},
    removed=(k.MAX_POSITIONS,),
    compose=led,
    notes=(GLOBAL_TOKENS_NOTE,),
    tasks=(Task.OTHER_SEQUENCE, Task.HIDDEN_STATES),
)
TROCR = Family(
    model_type="trocr",
    title="TrOCR decoder",
    source="https://arxiv.org/abs/2109.10282",
    architectures=("TrOCRForCausalLM",),
    defaults={
        **sizes(D=1024, L=12, H=16, F=4096, V=50_265, P=512),
        **unset(SOURCE_DIM),
        HAS_LEARNED_POSITIONS: True,
        HAS_EMBEDDING_NORM: True,
        k.TIE_EMBEDDINGS: True,
    },
    compose=trocr,
    heads=NO_OTHER_HEADS,
    names={
        "decoder_layers": k.NUM_LAYERS,
        "decoder_attention_heads": k.NUM_HEADS,
        "decoder_ffn_dim": k.FFN_DIM,
    },
    notes=(CountNote(N_("This is the text decoder; the image encoder is not counted here.")),),
)
