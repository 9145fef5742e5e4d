"""Llama 3.2 Vision's text decoder: layers between those of Llama attend to the images."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import among, layered
from sphinx_llmsize.architecture.notes import Note
from sphinx_llmsize.architecture.parts.attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    grouped_query_attention,
)
from sphinx_llmsize.architecture.parts.blocks import inserted, pre_norm
from sphinx_llmsize.architecture.parts.cross_attention import cross_attention
from sphinx_llmsize.architecture.parts.embeddings import lm_head, token_embedding
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.linear import vector
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.rules import HEADS_ROUNDED_DOWN
from sphinx_llmsize.config.vocabulary import (
    FFN_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    VOCAB_SIZE,
    D,
    L,
    T,
    V,
)

IMAGE_TOKENS = 8
"""Rows of the token embedding that the LM head does not have."""
CROSS_ATTENTION_LAYERS = Key(
    "cross_attention_layers",
    "numbers of the layers that attend to the images, from 0",
    kind=Kind.LAYERS,
)


def mllama(config: Config) -> tuple[Item, ...]:
    """Llama's layers, some with cross-attention in place of self-attention; no tied head."""

    def block(mixer: str) -> Block:
        crossed = mixer == "cross-attention"
        layer = pre_norm(rms_norm, _cross() if crossed else grouped_query_attention(), gated_mlp())
        return (*layer, _gate("ffn_residual", "Residual gate of FFN")) if crossed else layer

    crossed = config.counts(CROSS_ATTENTION_LAYERS)
    mixer = among(crossed, "cross-attention", others="self-attention")
    return (
        token_embedding(rows=V + IMAGE_TOKENS),
        *layered(config.count(L), block, mixer=mixer),
        rms_norm("final_norm", "Final norm"),
        lm_head(tied=False),
    )


def _cross() -> Block:
    attention = cross_attention(width=QUERY_WIDTH, kv_width=KEY_WIDTH)
    gate = _gate("attention_residual", "Residual gate of attention")
    return (*inserted(attention, *head_norms(), before="cross_scores"), gate)


def _gate(id: str, label: str) -> Stage:
    """One number that scales what a block adds to the residual stream."""
    return Stage(id, label, Group.RESIDUAL, (T, D), (vector(f"{id}_gate", ONE, "residual_gate"),))


MLLAMA = Family(
    model_type="mllama_text_model",
    title="Llama 3.2 Vision",
    source="https://arxiv.org/abs/2407.21783",
    architectures=("MllamaForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 40,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 8,
        FFN_DIM: 14_336,
        CROSS_ATTENTION_LAYERS: (3, 8, 13, 18, 23, 28, 33, 38),
        VOCAB_SIZE: 128_256,
    },
    compose=mllama,
    rules=(HEADS_ROUNDED_DOWN,),
    notes=(
        Note("The layers that attend to the images are part of the text decoder, and counted."),
    ),
)

FAMILIES = (MLLAMA,)
