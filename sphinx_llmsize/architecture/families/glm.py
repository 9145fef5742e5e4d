"""GLM-4: few key/value heads, biases on Q, K and V, gate and up in one matrix."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import sizes
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def glm(config: Config) -> tuple[Item, ...]:
    """A norm before attention and before the MLP."""
    block = parts.pre_norm(parts.rms_norm, biased_attention(config), parts.fused_gated_mlp())
    return parts.decoder(config, block, norm=parts.rms_norm)


def glm4(config: Config) -> tuple[Item, ...]:
    """A norm before and after each."""
    block = parts.sandwich_norm(parts.rms_norm, biased_attention(config), parts.fused_gated_mlp())
    return parts.decoder(config, block, norm=parts.rms_norm)


def biased_attention(config: Config) -> Block:
    """Biases, if any, on Q, K and V but not on the output."""
    return parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS), output_bias=False)


GLM = Family(
    model_type="glm",
    title="GLM-4",
    source="https://arxiv.org/abs/2406.12793",
    architectures=("GlmForCausalLM",),
    defaults={
        **sizes(D=4096, L=40, H=32, H_kv=2, d_h=128, F=13_696, V=151_552),
        k.ATTENTION_BIAS: True,
        k.TIE_EMBEDDINGS: False,
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
