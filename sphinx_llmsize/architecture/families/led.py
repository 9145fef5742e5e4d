"""LED: BART with an encoder for long texts (Longformer, https://arxiv.org/abs/2004.05150)."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ONE, ZERO, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import without
from sphinx_llmsize.architecture.families.bart import BART, both_stacks, stacks
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
    """BART whose encoder has separate projections for global attention."""
    norm, feed_forward = parts.layer_norm, parts.mlp(bias=True)
    own, cross = parts.multi_head_attention(bias=True), parts.cross_attention(bias=True)
    both = stacks(
        config,
        parts.post_norm(norm, global_and_local_attention(), feed_forward),
        parts.post_norm_decoder(norm, own, cross, feed_forward),
        (parts.position_embedding(P_ENC), parts.embedding_norm()),
        before_decoder=(parts.position_embedding(P_DEC), parts.embedding_norm()),
    )
    return both_stacks(config, *both)


def global_and_local_attention() -> Block:
    """Attention with two sets of Q, K and V: for local tokens, for global tokens."""
    qkv = tuple(
        # global tokens are chosen by the task; without one there are none
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
