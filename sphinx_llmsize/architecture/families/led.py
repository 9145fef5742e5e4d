"""LED: BART with an encoder for long texts (Longformer, https://arxiv.org/abs/2004.05150)."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ONE, ZERO, Symbol
from sphinx_llmsize.architecture.families.bart import BART, both_stacks, in_decoder, in_encoder
from sphinx_llmsize.architecture.family import without
from sphinx_llmsize.architecture.parts.attention import attention, multi_head_attention
from sphinx_llmsize.architecture.parts.blocks import post_norm, post_norm_decoder
from sphinx_llmsize.architecture.parts.cross_attention import cross_attention
from sphinx_llmsize.architecture.parts.embeddings import embedding_norm, position_embedding
from sphinx_llmsize.architecture.parts.encoder_decoder import decoder, encoder
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.encoder_decoder import HEADS_OF_BOTH
from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.tasks import Task, counted_for
from sphinx_llmsize.config.vocabulary import MAX_POSITIONS, D
from sphinx_llmsize.translation import N_

P_ENC = Symbol("P_enc", "positions of the encoder")
P_DEC = Symbol("P_dec", "positions of the decoder")

ENCODER_POSITIONS = size_key(P_ENC, "encoder_positions", "max_encoder_position_embeddings")
DECODER_POSITIONS = size_key(P_DEC, "decoder_positions", "max_decoder_position_embeddings")


def led(config: Config) -> tuple[Item, ...]:
    """BART, its encoder with projections of their own for tokens that attend to all others."""
    layer = post_norm_decoder(
        layer_norm, multi_head_attention(bias=True), cross_attention(bias=True), mlp(bias=True)
    )
    return both_stacks(
        config,
        encoder(
            post_norm(layer_norm, global_and_local_attention(), mlp(bias=True)),
            before=(position_embedding(P_ENC), embedding_norm()),
            sizes=in_encoder(config),
        ),
        decoder(
            layer, before=(position_embedding(P_DEC), embedding_norm()), sizes=in_decoder(config)
        ),
    )


def global_and_local_attention() -> Block:
    """Q, K and V twice: for tokens that attend nearby, and for those that attend to all."""
    qkv = tuple(
        # which tokens attend to all is for the task to say; without one, none does
        replace(tensor, times=ZERO if reach else ONE)
        for reach in ("", "global_")
        for name in ("q", "k", "v")
        for tensor in linear(
            f"{reach}{name}_proj",
            D,
            D,
            f"attn_{name}",
            bias=True,
            label=N_("global {name}", name=name) if reach else name,
        )
    )
    return attention(qkv, linear("o_proj", D, D, "attn_o", bias=True), qkv_width=6 * D, width=D)


LED = replace(
    BART,
    model_type="led",
    title="LED",
    source="https://arxiv.org/abs/2004.05150",
    architectures=("LEDForConditionalGeneration", "LEDModel"),
    defaults={
        **without(BART.defaults, MAX_POSITIONS),
        ENCODER_POSITIONS: 16_384,
        DECODER_POSITIONS: 1024,
    },
    compose=led,
    rules=(HEADS_OF_BOTH, counted_for(Task.OTHER_SEQUENCE, Task.HIDDEN_STATES)),
)

FAMILIES = (LED,)
