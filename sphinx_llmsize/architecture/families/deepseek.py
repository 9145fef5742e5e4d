"""DeepSeek-V2, V3 and V3.2: latent attention (MLA), experts after a few dense layers."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.common_layers import mla
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.common_rules import ALL_EXPERTS
from sphinx_llmsize.config.config import Config


def deepseek_v2(config: Config) -> Items:
    """DeepSeek-V3's layers; MLPs and shared experts may have biases."""
    return deepseek(config, mlp_bias=config.flag(k.MLP_BIAS))


def deepseek(config: Config, *, mlp_bias: bool = False) -> Items:
    """Latent attention in every layer; a gated MLP in the first ones, experts in the others."""
    return parts.decoder_with_experts(
        config,
        mla(config),
        parts.experts_and_shared(config, shared_bias=mlp_bias),
        parts.first_dense(config),
        dense=parts.gated_mlp(bias=mlp_bias),
    )


def deepseek_v32(config: Config) -> Items:
    """DeepSeek-V3 with an indexer that selects the keys each query attends to."""
    attention = mla(config, index=parts.lightning_indexer())
    kinds = parts.ffn_kinds(config, parts.first_dense(config))
    return parts.decoder_with_experts(config, attention, parts.experts_and_shared(config), kinds)


DEEPSEEK_V3 = Family(
    model_type="deepseek_v3",
    title="DeepSeek-V3",
    source="https://arxiv.org/abs/2412.19437",
    architectures=("DeepseekV3ForCausalLM",),
    defaults={
        **sizes(D=7168, L=61, H=128, V=129_280),
        **sizes(R_q=1536, R_kv=512, d_nope=128, d_rope=64, d_v=128, F=18_432),
        **sizes(E=256, k=8, F_e=2048, E_s=1),
        k.FIRST_DENSE_LAYERS: 3,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
        k.NEXT_TOKEN_LAYERS: None,
    },
    rules=(),
    compose=deepseek,
    notes=(NEXT_TOKEN_NOTE, CORRECTION_BIAS_NOTE),
)
DEEPSEEK_V2 = replace(
    DEEPSEEK_V3,
    model_type="deepseek_v2",
    title="DeepSeek-V2",
    source="https://arxiv.org/abs/2405.04434",
    architectures=("DeepseekV2ForCausalLM",),
    defaults={
        **DEEPSEEK_V3.defaults,
        **sizes(D=4096, L=32, H=32, F=11_008, V=102_400, E=64, k=None, F_e=1407, E_s=2),
        k.FIRST_DENSE_LAYERS: 0,
        k.MLP_BIAS: False,
    },
    rules=(ALL_EXPERTS,),
    compose=deepseek_v2,
    notes=(),
)
DEEPSEEK_V32 = replace(
    DEEPSEEK_V3,
    model_type="deepseek_v32",
    title="DeepSeek-V3.2",
    source="https://arxiv.org/abs/2512.02556",
    architectures=("DeepseekV32ForCausalLM",),
    defaults={**DEEPSEEK_V3.defaults, **sizes(H_i=64, d_i=128), k.FFN_LAYER_TYPES: None},
    rules=(k.QUERY_LATENT, k.FFN_TYPES, k.one_for_each_layer(k.FFN_LAYER_TYPES)),
    compose=deepseek_v32,
)
