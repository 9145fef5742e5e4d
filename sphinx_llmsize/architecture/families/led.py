"""LED: BART with an encoder for long texts (Longformer, https://arxiv.org/abs/2004.05150)."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ONE, ZERO, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import without
from sphinx_llmsize.architecture.families.bart import BART, both_stacks, in_decoder, in_encoder
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.config.tasks import Task, counted_for
from sphinx_llmsize.translation import N_

P_ENC = Symbol("P_enc", N_("positions of the encoder"))
P_DEC = Symbol("P_dec", N_("positions of the decoder"))

ENCODER_POSITIONS = size_key(P_ENC, "encoder_positions", "max_encoder_position_embeddings")
DECODER_POSITIONS = size_key(P_DEC, "decoder_positions", "max_decoder_position_embeddings")


def led(config: Config) -> tuple[Item, ...]:
    """BART, its encoder with projections of their own for tokens that attend to all others."""
    layer = parts.post_norm_decoder(
        parts.layer_norm,
        parts.multi_head_attention(bias=True),
        parts.cross_attention(bias=True),
        parts.mlp(bias=True),
    )
    return both_stacks(
        config,
        parts.encoder_stack(
            parts.post_norm(parts.layer_norm, global_and_local_attention(), parts.mlp(bias=True)),
            before=(parts.position_embedding(P_ENC), parts.embedding_norm()),
            sizes=in_encoder(config),
        ),
        parts.decoder_stack(
            layer,
            before=(parts.position_embedding(P_DEC), parts.embedding_norm()),
            sizes=in_decoder(config),
        ),
    )


def global_and_local_attention() -> Block:
    """Q, K and V twice: for tokens that attend nearby, and for those that attend to all."""
    qkv = tuple(
        # which tokens attend to all is for the task to say; without one, none does
        replace(tensor, applications=ZERO if reach else ONE)
        for reach in ("", "global_")
        for name in ("q", "k", "v")
        for tensor in parts.linear(
            f"{reach}{name}_proj",
            D,
            D,
            f"attn_{name}",
            bias=True,
            label=N_("global {name}", name=name) if reach else name,
        )
    )
    return parts.attention(
        qkv, parts.linear("o_proj", D, D, "attn_o", bias=True), qkv_width=6 * D, width=D
    )


LED = replace(
    BART,
    model_type="led",
    title="LED",
    source="https://arxiv.org/abs/2004.05150",
    architectures=("LEDForConditionalGeneration", "LEDModel"),
    defaults={
        **without(BART.defaults, k.MAX_POSITIONS),
        ENCODER_POSITIONS: 16_384,
        DECODER_POSITIONS: 1024,
    },
    compose=led,
    rules=(k.HEADS_OF_BOTH, counted_for(Task.OTHER_SEQUENCE, Task.HIDDEN_STATES)),
)

FAMILIES = (LED,)
