"""Grok-1: sandwich norms and a mixture of experts in every layer."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.common_layers import uniform_decoder
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F


def grok1(config: Config) -> Items:
    """GQA, then experts, each between two norms."""
    attention = parts.grouped_query_attention()
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    return uniform_decoder(config, attention, experts, frame=parts.sandwich_norm)


GROK_1 = Family(
    model_type="grok-1",
    title="Grok-1",
    source="https://github.com/xai-org/grok-1",
    architectures=("Grok1ModelForCausalLM", "Grok1ForCausalLM"),
    defaults={
        **sizes(D=6144, L=64, H=48, H_kv=8, F=32_768, V=131_072, E=8, k=2),
        k.TIE_EMBEDDINGS: True,
    },
    compose=grok1,
)
