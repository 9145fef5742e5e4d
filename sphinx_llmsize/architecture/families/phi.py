"""Phi-1 to Phi-4: parallel layers with biases at first, fused projections later, experts in one."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import off, sizes
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS, heads_fill_hidden
from sphinx_llmsize.config.symbols import F


def phi(config: Config) -> tuple[Item, ...]:
    """Attention and MLP side by side, with biases everywhere."""
    norms = parts.head_norms(bias=True) if config.flag(k.QK_NORM) else ()
    block = parts.parallel(
        parts.layer_norm,
        parts.grouped_query_attention(bias=True, norms=norms),
        parts.mlp(bias=True),
    )
    return parts.decoder(config, block, norm=parts.layer_norm, head_bias=True)


def phi3(config: Config) -> tuple[Item, ...]:
    """Llama's block with Q, K and V in one matrix, gate and up in another."""
    attention = parts.fused_attention(bias=False, width=parts.QUERY_WIDTH, kv_width=parts.KEY_WIDTH)
    return parts.decoder(
        config,
        parts.pre_norm(parts.rms_norm, attention, parts.fused_gated_mlp()),
        norm=parts.rms_norm,
    )


def phimoe(config: Config) -> tuple[Item, ...]:
    """Mixtral's block with layer norms and, if told, biases."""
    attention = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS))
    block = parts.pre_norm(
        parts.layer_norm, attention, parts.mixture_of_experts(parts.gated_experts(width=F))
    )
    return parts.decoder(
        config, block, norm=parts.layer_norm, head_bias=config.flag(k.LM_HEAD_BIAS)
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
    rules=(ATTENTION_HEADS, heads_fill_hidden(k.QK_NORM)),
    compose=phi,
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
    windows=parts.in_all_layers,
)
PHIMOE = Family(
    model_type="phimoe",
    title="Phi-3.5-MoE",
    source="https://arxiv.org/abs/2404.14219",
    architectures=("PhimoeForCausalLM", "PhiMoEForCausalLM"),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=8, d_h=None, F=6400, V=32_064, E=16, k=2, w=None),
        **off(k.ATTENTION_BIAS, k.LM_HEAD_BIAS, k.TIE_EMBEDDINGS),
    },
    compose=phimoe,
    windows=parts.in_all_layers,
)

FAMILIES = (PHI, PHI3, PHIMOE)
