"""Granite 4.0: Mamba-2 and attention layers, experts beside an MLP."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import layered, same
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import mixer_pre_norm, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.feed_forward import fused_gated_mlp
from sphinx_llmsize.architecture.parts.layer_kinds import mixer_kinds, mixer_names
from sphinx_llmsize.architecture.parts.mamba import mamba2
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import EXPERTS_PER_TOKEN, F_S, NUM_EXPERTS, SHARED_EXPERT_DIM, E
from sphinx_llmsize.config.key import Kind
from sphinx_llmsize.config.layer_types import LAYER_TYPES
from sphinx_llmsize.config.mixers import (
    CONV_WIDTH,
    EXPAND,
    MAMBA_HEAD_DIM,
    MIXER_BIAS,
    MIXER_CONV_BIAS,
    NUM_MAMBA_GROUPS,
    NUM_MAMBA_HEADS,
    STATE_DIM,
    STATE_SPACE_HEADS,
)
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer, only_these
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
    L,
)

NAMES = mixer_names("Mamba-2")
PER_TOKEN = replace(EXPERTS_PER_TOKEN, kind=Kind.WHOLE)
"""Of the models without experts a token uses 0."""


def granite_hybrid(config: Config) -> tuple[Item, ...]:
    """Attention where ``layer_types`` says so; without experts the shared one is the MLP."""
    experts = mixture_of_experts(gated_experts(width=F), shared=shared_expert())
    feed_forward = experts if config.has(E) else fused_gated_mlp(width=F_S)

    def block(mixer: str) -> Block:
        if mixer == "full attention":
            attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
            return pre_norm(rms_norm, attention, feed_forward)
        states = mamba2(bias=config.flag(MIXER_BIAS), conv_bias=config.flag(MIXER_CONV_BIAS))
        return mixer_pre_norm(rms_norm, states, feed_forward)

    mixer = mixer_kinds(config, NAMES, otherwise=same("Mamba-2"))
    return decoder(config, layered(config.count(L), block, mixer=mixer), norm=rms_norm)


GRANITE_HYBRID = Family(
    model_type="granitemoehybrid",
    title="Granite 4.0",
    source="https://huggingface.co/docs/transformers/model_doc/granitemoehybrid",
    architectures=("GraniteMoeHybridForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        LAYER_TYPES: None,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        NUM_MAMBA_HEADS: 128,
        MAMBA_HEAD_DIM: None,
        NUM_MAMBA_GROUPS: 1,
        STATE_DIM: 256,
        CONV_WIDTH: 4,
        EXPAND: 2,
        FFN_DIM: 11_008,
        NUM_EXPERTS: 8,
        PER_TOKEN: 2,
        SHARED_EXPERT_DIM: 1024,
        VOCAB_SIZE: 32_000,
        MIXER_CONV_BIAS: True,
        MIXER_BIAS: False,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    names={"mamba_proj_bias": MIXER_BIAS},
    rules=(
        ATTENTION_HEADS,
        STATE_SPACE_HEADS,
        one_for_each_layer(LAYER_TYPES),
        only_these(LAYER_TYPES, NAMES),
    ),
    compose=granite_hybrid,
)

FAMILIES = (GRANITE_HYBRID,)
