"""Grok-1 and Grok-2: sandwich norms and a mixture of experts in every layer."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.translation import N_

DENSE_BESIDE_EXPERTS = k.flag(
    "dense_beside_experts residual_moe", N_("a gated FFN in parallel with the experts (Grok-2)")
)


def grok(config: Config) -> Items:
    """GQA, then experts (in Grok-2 with a gated MLP in parallel); norms before and after each."""
    dense = parts.gated_mlp() if config.flag(DENSE_BESIDE_EXPERTS) else ()
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=dense)
    attention = parts.grouped_query_attention()
    return parts.uniform_decoder(config, attention, experts, frame=parts.sandwich_norm)


GROK_1 = Family(
    model_type="grok-1",
    title="Grok",
    source="https://github.com/xai-org/grok-1",
    architectures=("Grok1ModelForCausalLM", "Grok1ForCausalLM"),
    defaults={
        **sizes(D=6144, L=64, H=48, H_kv=8, d_h=None, F=32_768, V=131_072, E=8, k=2, F_e=None),
        **off(DENSE_BESIDE_EXPERTS),
        k.TIE_EMBEDDINGS: True,
    },
    rules=(k.ATTENTION_HEADS_RULE, k.same_as(k.FFN_DIM, k.EXPERT_DIM)),
    compose=grok,
    positions=parts.Positions.ROTARY,
)
