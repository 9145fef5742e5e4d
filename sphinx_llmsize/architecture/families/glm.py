"""GLM-4: few key/value heads, biases on Q, K and V, gate and up in one matrix."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm, sandwich_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import fused_gated_mlp
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
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
)


def glm(config: Config) -> tuple[Item, ...]:
    """A norm before attention and before the MLP."""
    block = pre_norm(rms_norm, biased_attention(config), fused_gated_mlp())
    return decoder(config, block, norm=rms_norm)


def glm4(config: Config) -> tuple[Item, ...]:
    """A norm before and after each."""
    block = sandwich_norm(rms_norm, biased_attention(config), fused_gated_mlp())
    return decoder(config, block, norm=rms_norm)


def biased_attention(config: Config) -> Block:
    """Biases, if any, on Q, K and V but not on the output."""
    return grouped_query_attention(bias=config.flag(ATTENTION_BIAS), output_bias=False)


GLM = Family(
    model_type="glm",
    title="GLM-4",
    source="https://arxiv.org/abs/2406.12793",
    architectures=("GlmForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 40,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 2,
        HEAD_DIM: 128,
        FFN_DIM: 13_696,
        VOCAB_SIZE: 151_552,
        ATTENTION_BIAS: True,
        TIE_EMBEDDINGS: False,
    },
    compose=glm,
)
GLM4 = replace(
    GLM,
    model_type="glm4",
    title="GLM-4-0414",
    source="https://huggingface.co/docs/transformers/model_doc/glm4",
    architectures=("Glm4ForCausalLM",),
    compose=glm4,
)

FAMILIES = (GLM, GLM4)
