"""BART, PLBART, mBART and Blenderbot small: encoder-decoders with learned positions."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Quantity, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.task_heads import SEQUENCE_HEADS
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_H, F_DEC, F_ENC, H_DEC, H_ENC, D, F, H, P
from sphinx_llmsize.translation import N_

RESERVED_POSITIONS = 2
"""Unused rows of BART's position table: fairseq reserves them for padding."""
BART_EMBEDDINGS = (parts.position_embedding(P + RESERVED_POSITIONS), parts.embedding_norm())
"""Stages after the token embedding."""
EncoderAndDecoder = tuple[Items, Items]
"""Stages and layers of an encoder, and those of a decoder."""


def bart(config: Config) -> Items:
    """Post-norm layers after P + 2 learned positions and a norm on the embeddings."""
    return encoder_decoder(config, *post_norm_stacks(config, BART_EMBEDDINGS))


def blenderbot_small(config: Config) -> Items:
    """BART with P instead of P + 2 positions."""
    embeddings = (parts.position_embedding(), parts.embedding_norm())
    return encoder_decoder(config, *post_norm_stacks(config, embeddings))


def mbart(config: Config) -> Items:
    """BART with pre-norm layers and a final norm after each stack."""
    return encoder_decoder(config, *pre_norm_stacks(config, BART_EMBEDDINGS))


def encoder_decoder(
    config: Config, encoder: Items, decoder: Items, *, tied_without_encoder: bool | None = None
) -> Items:
    """Encoder-decoder with embeddings and LM head, or the part that the task uses.

    If weights are tied, both stacks and the LM head share one token embedding.

    Args:
        config: the configuration.
        encoder: the encoder's stages and layers.
        decoder: the decoder's stages and layers.
        tied_without_encoder: tie the LM head of a decoder without an encoder; by default as in the
            whole model.
    """
    tied = config.flag(k.TIE_EMBEDDINGS)
    return parts.sequence_to_sequence(
        config, encoder, decoder, shared=tied, tied=tied, tied_without_encoder=tied_without_encoder
    )


def post_norm_stacks(config: Config, before: Block) -> EncoderAndDecoder:
    """Encoder and decoder of the original transformer, with biases.

    Vaswani et al. 2017, https://arxiv.org/abs/1706.03762
    """
    norm, feed_forward = parts.layer_norm, parts.mlp(bias=True)
    attention, cross = parts.multi_head_attention(bias=True), parts.cross_attention(bias=True)
    decoder_layer = parts.post_norm_decoder(norm, attention, cross, feed_forward)
    return stacks(config, parts.post_norm(norm, attention, feed_forward), decoder_layer, before)


def pre_norm_stacks(config: Config, before: Block, *, bias: bool = True) -> EncoderAndDecoder:
    """Encoder and decoder with pre-norm layers and final norms; ``bias`` is for attention only."""
    norm, feed_forward = parts.layer_norm, parts.mlp(bias=True)
    attention, cross = parts.multi_head_attention(bias=bias), parts.cross_attention(bias=bias)
    decoder_layer = parts.pre_norm_decoder(norm, attention, cross, feed_forward)
    after = (norm("final_norm", N_("Final norm")),)
    return stacks(
        config, parts.pre_norm(norm, attention, feed_forward), decoder_layer, before, after=after
    )


def stacks(
    config: Config,
    encoder_layer: Block,
    decoder_layer: Block,
    before: Block,
    *,
    before_decoder: Block | None = None,
    after: Block = (),
) -> EncoderAndDecoder:
    """Encoder and decoder, each with equal layers.

    Args:
        config: the configuration.
        encoder_layer: stages of one layer; its H, F and d_h are replaced by the encoder's.
        decoder_layer: stages of one layer; its H, F and d_h are replaced by the decoder's.
        before: stages between the token embedding and the layers.
        before_decoder: the same for the decoder; ``before`` by default.
        after: stages after the layers of each stack.
    """
    encoder_sizes = stack_sizes(parts.ENCODER, config, H_ENC, F_ENC)
    decoder_sizes = stack_sizes(parts.DECODER, config, H_DEC, F_DEC)
    before_decoder = before if before_decoder is None else before_decoder
    return (
        parts.encoder_stack(encoder_layer, before=before, after=after, sizes=encoder_sizes),
        parts.decoder_stack(decoder_layer, before=before_decoder, after=after, sizes=decoder_sizes),
    )


def stack_sizes(kind: LayerKind, config: Config, heads: Symbol, width: Symbol) -> parts.Sizes:
    """Sizes that replace H, F and d_h in the layers of a kind.

    Args:
        kind: :data:`parts.ENCODER` or :data:`parts.DECODER`.
        config: the configuration.
        heads: symbol that replaces H; d_h is D divided by its value.
        width: symbol that replaces F.
    """
    symbol = f"{D_H.name},{kind.subscript}"
    meaning = N_("{size} of the {part}", size=D_H.meaning, part=kind.label)
    head_dim = Quantity(symbol, meaning, config.count(D) // config.count(heads))
    return {H: heads, F: width, D_H: head_dim}


BART = Family(
    model_type="bart",
    title="BART",
    source="https://arxiv.org/abs/1910.13461",
    architectures=("BartForConditionalGeneration",),
    defaults={
        **sizes(D=1024, V=50_265, P=1024),
        **sizes(L_enc=12, L_dec=12, H_enc=16, H_dec=16, F_enc=4096, F_dec=4096),
        k.TIE_EMBEDDINGS: True,
    },
    compose=bart,
    rules=(k.HEADS_OF_BOTH_STACKS_RULE,),
    tasks=parts.SEQUENCE_TASKS,
    heads=SEQUENCE_HEADS,
    default_labels=3,
)
LIKE_BART = replace(BART, default_labels=2)
"""Base of similar families, which have two labels by default."""
PLBART = variant(
    LIKE_BART,
    "plbart",
    "PLBART",
    "PLBartForConditionalGeneration",
    "https://arxiv.org/abs/2103.06333",
    defaults=sizes(D=768, V=50_005, L_enc=6, L_dec=6, H_enc=12, H_dec=12, F_enc=3072, F_dec=3072),
)
BLENDERBOT_SMALL = variant(
    LIKE_BART,
    "blenderbot-small",
    "Blenderbot small",
    "BlenderbotSmallForConditionalGeneration",
    "https://arxiv.org/abs/2004.13637",
    defaults=sizes(D=512, P=512, L_enc=8, L_dec=8, F_enc=2048, F_dec=2048),
    compose=blenderbot_small,
)
MBART = variant(
    LIKE_BART,
    "mbart",
    "mBART",
    "MBartForConditionalGeneration",
    "https://arxiv.org/abs/2001.08210",
    compose=mbart,
)
