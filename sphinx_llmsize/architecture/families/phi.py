"""Phi-1 to Phi-2 (attention beside the MLP), Phi-3 and Phi-4 (fused projections), Phi-3.5-MoE.

The first releases of Phi-1 to Phi-2 (``mixformer-sequential``, ``phi-msft``) are in
:mod:`phi_first_releases`.
"""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import TEXT_ONLY
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F


def phi(config: Config) -> Items:
    """Attention and MLP in parallel, with biases everywhere."""
    norms = parts.qk_norms(bias=True) if config.flag(k.QK_NORM) else ()
    return parts.uniform_decoder(
        config,
        parts.grouped_query_attention(bias=True, norms=norms),
        parts.mlp(bias=True),
        frame=parts.parallel,
        norm=parts.layer_norm,
        head_bias=True,
    )


def phi3(config: Config) -> Items:
    """Llama's layers with a fused QKV projection and a fused gated MLP."""
    attention = parts.fused_attention(bias=False, width=parts.QUERY_WIDTH, kv_width=parts.KEY_WIDTH)
    return parts.uniform_decoder(config, attention, parts.fused_gated_mlp())


def phimoe(config: Config) -> Items:
    """Mixtral's layers with layer norms and optional biases."""
    return parts.uniform_decoder(
        config,
        parts.gqa(config),
        parts.mixture_of_experts(parts.gated_experts(width=F)),
        norm=parts.layer_norm,
        head_bias=config.flag(k.LM_HEAD_BIAS),
    )


PHI = Family(
    model_type="phi",
    title="Phi",
    source="https://arxiv.org/abs/2309.05463",
    architectures=("PhiForCausalLM",),
    defaults={
        **sizes(D=2048, L=24, H=32, H_kv=None, d_h=None, F=8192, V=51_200),
        **off(k.QK_NORM, k.TIE_EMBEDDINGS),
    },
    rules=(k.ATTENTION_HEADS_RULE, k.heads_fill_hidden(k.QK_NORM)),
    compose=phi,
    positions=parts.Positions.ROTARY,
)
PHI3 = Family(
    model_type="phi3",
    title="Phi-3",
    source="https://arxiv.org/abs/2404.14219",
    architectures=("Phi3ForCausalLM",),
    defaults={
        **sizes(D=3072, L=32, H=32, H_kv=None, d_h=None, F=8192, V=32_064, w=None),
        k.TIE_EMBEDDINGS: False,
    },
    compose=phi3,
    windows=parts.windows_in_all_layers,
    positions=parts.Positions.ROTARY,
)
PHIMOE = variant(
    PHI3,
    "phimoe",
    "Phi-3.5-MoE",
    "PhimoeForCausalLM PhiMoEForCausalLM",
    "https://arxiv.org/abs/2404.14219",
    defaults={**sizes(D=4096, H_kv=8, F=6400, E=16, k=2), **off(k.ATTENTION_BIAS, k.LM_HEAD_BIAS)},
    compose=phimoe,
)
PHI4_MULTIMODAL = variant(
    PHI3,
    "phi4_multimodal",
    "Phi-4-multimodal",
    "Phi4MultimodalForCausalLM",
    defaults=sizes(H_kv=8, V=200_064),
    notes=(TEXT_ONLY,),
)
