"""gpt-oss and Flint: mixtures of experts, and attention with one sink per head."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.qwen import expert_kinds
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import PerLayer, among, every
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F, L


def gpt_oss(config: Config) -> Items:
    """GQA with sinks, and experts in every layer; experts and router have biases."""
    experts = parts.mixture_of_experts(
        parts.gated_experts(width=F, bias=True), router=parts.linear_router(bias=True)
    )
    return parts.uniform_decoder(config, parts.gqa(config, scores=parts.sinks()), experts)


def flint(config: Config) -> Items:
    """GQA with QK norms and sinks; by default an MLP in the first two layers, then experts."""
    attention = parts.gqa(config, norms=parts.qk_norms(), scores=parts.sinks())
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=parts.shared_expert())
    return parts.decoder_with_experts(config, attention, experts, expert_kinds(config))


def sliding_layers(config: Config) -> PerLayer[bool]:
    """Sliding windows in three of four layers, but not in the first two and the last."""
    sliding, full = True, False
    full_by_step = every(4, full, others=sliding, start=1)
    return among((0, 1, config.count(L) - 1), full, others=full_by_step)


DEFAULT_DENSE_LAYERS = k.default_if_null(k.DENSE_LAYERS, (0, 1))
FLINT_WINDOWS = parts.windows_by_layer_types(otherwise=sliding_layers)

GPT_OSS = Family(
    model_type="gpt_oss",
    title="gpt-oss",
    source="https://arxiv.org/abs/2508.10925",
    architectures=("GptOssForCausalLM",),
    defaults={
        **sizes(D=2880, L=36, H=64, H_kv=8, d_h=64, F=2880, V=201_088, E=128, k=4, w=128),
        k.LAYER_TYPES: None,
        k.ATTENTION_BIAS: True,
        k.TIE_EMBEDDINGS: False,
    },
    compose=gpt_oss,
    rules=(k.ATTENTION_HEADS_RULE, k.LISTED_WINDOWS_RULE),
    windows=parts.windows_by_layer_types(otherwise=parts.full_every(2)),
    positions=parts.Positions.ROTARY,
)
FLINT = variant(
    GPT_OSS,
    "flint",
    "Flint",
    "FlintForCausalLM",
    defaults={
        **sizes(D=2048, L=49, H=32, H_kv=4, d_h=128, F=6144, V=150_144),
        **sizes(E=256, k=6, F_e=512, F_s=1024, w=513),
        k.EXPERT_LAYER_STEP: 1,
        **unset(k.DENSE_LAYERS),
        **off(k.ATTENTION_BIAS),
    },
    rules=(k.ATTENTION_HEADS_RULE, DEFAULT_DENSE_LAYERS, k.LISTED_WINDOWS_RULE),
    compose=flint,
    windows=FLINT_WINDOWS,
    positions=parts.rotary_with_window(FLINT_WINDOWS),
)
