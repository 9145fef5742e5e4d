"""DeepSeekMoE, MiniCPM and XVERSE: Llama's layers with optional experts; code on the Hub."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant
from sphinx_llmsize.architecture.layers import Kinds, same
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F
from sphinx_llmsize.translation import N_

FFN_TYPE = k.make_key(
    "ffn_type",
    N_("kind of FFN; only vanilla is supported"),
    k.ValueKind.NAME,
    optional=True,
)


def deepseek_v1(config: Config) -> Items:
    """Llama's attention; an MLP in the first layers, then experts, if any, in every n-th layer."""
    experts = parts.experts_and_shared(config)
    return parts.decoder_with_experts(
        config, parts.gqa(config), experts, _deepseek_ffn_kinds(config)
    )


def _deepseek_ffn_kinds(config: Config) -> Kinds:
    """Experts in every n-th layer after the first dense layers; none if E is null or 0."""
    if not config.has(k.NUM_EXPERTS):
        return same(parts.DENSE)
    step, first_dense = config.count(k.EXPERT_LAYER_STEP), config.count(k.FIRST_DENSE_LAYERS)
    return parts.moe_every(step, first_dense=first_dense)


def minicpm(config: Config) -> Items:
    """Llama's layers; experts in every layer in MiniCPM-MoE."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    return _experts_or_mlp(config, parts.gqa(config), experts)


def xverse(config: Config) -> Items:
    """Multi-head attention without biases; experts in every layer in XVERSE-MoE."""
    experts = parts.experts_and_shared(config, width=F)
    return _experts_or_mlp(config, parts.multi_head_attention(), experts)


def _experts_or_mlp(config: Config, attention: Block, experts: Block) -> Items:
    """Experts in every layer, or a gated MLP if E is null or 0."""
    kinds = same(parts.MOE if config.has(k.NUM_EXPERTS) else parts.DENSE)
    return parts.decoder_with_experts(config, attention, experts, kinds)


DEEPSEEK = variant(
    LIKE_LLAMA,
    "deepseek",
    "DeepSeekMoE",
    "DeepseekForCausalLM",
    "https://arxiv.org/abs/2401.06066",
    defaults={
        **sizes(L=30, H_kv=32, F=11_008, V=102_400, E=None, k=None, F_e=1407, E_s=None),
        k.FIRST_DENSE_LAYERS: 0,
        k.EXPERT_LAYER_STEP: 1,
    },
    removed=(k.HEAD_DIM, k.MLP_BIAS),
    compose=deepseek_v1,
)
MINICPM = variant(
    LIKE_LLAMA,
    "minicpm",
    "MiniCPM",
    "MiniCPMForCausalLM",
    "https://arxiv.org/abs/2404.06395",
    defaults={**sizes(F=11_008, E=None, k=None), FFN_TYPE: None, k.TIE_EMBEDDINGS: True},
    removed=(k.HEAD_DIM, k.MLP_BIAS),
    rules=(k.ATTENTION_HEADS_RULE, k.one_of(FFN_TYPE, "vanilla")),
    compose=minicpm,
)
XVERSE = Family(
    model_type="xverse",
    title="XVERSE",
    source="https://huggingface.co/xverse/XVERSE-13B",
    architectures=("XverseForCausalLM",),
    defaults={
        **sizes(D=5120, L=40, H=40, F=13_824, V=100_278, E=None, k=None, E_s=None),
        k.TIE_EMBEDDINGS: False,
    },
    compose=xverse,
    names={"moe_top_k": k.EXPERTS_PER_TOKEN},
    positions=parts.Positions.ROTARY,
)
