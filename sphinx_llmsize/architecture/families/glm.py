"""GLM-4: few key/value heads, biases on Q, K and V only, gate and up in one matrix."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import sizes
from sphinx_llmsize.architecture.families.common_layers import gqa, uniform_decoder
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def glm(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers of GQA and a fused gated MLP."""
    return uniform_decoder(config, gqa(config, output_bias=False), parts.fused_gated_mlp())


def glm4(config: Config) -> tuple[Item, ...]:
    """GLM-4's layers with sandwich norms (GLM-4-0414)."""
    attention, feed_forward = gqa(config, output_bias=False), parts.fused_gated_mlp()
    return uniform_decoder(config, attention, feed_forward, frame=parts.sandwich_norm)


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
