"""Llama's layers with experts in place of the MLP: Aria, Mellum, Solar Open."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, MTP_NOTE
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import same
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F


def aria(config: Config) -> Items:
    """GQA and experts of width F in every layer; optional biases on the shared experts."""
    experts = parts.experts_and_shared(config, width=F, shared_bias=config.flag(k.MLP_BIAS))
    return parts.decoder_with_experts(config, parts.gqa(config), experts, same(parts.MOE))


def solar_open(config: Config) -> Items:
    """GQA without an output bias; experts and shared experts in every layer."""
    attention = parts.gqa(config, output_bias=False)
    return parts.decoder_with_experts(
        config, attention, parts.experts_and_shared(config), same(parts.MOE)
    )


def mellum(config: Config) -> Items:
    """GQA with QK norms; experts in every layer by default, without a shared expert."""
    experts = parts.mixture_of_experts(parts.gated_experts())
    kinds = parts.ffn_kinds(config, otherwise=same(parts.MOE))
    return parts.decoder_with_experts(config, parts.gqa_with_qk_norm(config), experts, kinds)


ARIA = variant(
    LIKE_LLAMA,
    "aria_text",
    "Aria (text decoder)",
    "AriaTextForCausalLM",
    "https://arxiv.org/abs/2410.05993",
    defaults=sizes(F=4096, E=8, k=2, E_s=2),
    compose=aria,
)
SOLAR_OPEN = Family(
    model_type="solar_open",
    title="Solar Open",
    source="https://huggingface.co/upstage/Solar-Open-100B",
    architectures=("SolarOpenForCausalLM",),
    defaults={
        **sizes(D=4096, L=48, H=64, H_kv=8, d_h=128, V=196_608, E=128, k=8, F_e=1280, E_s=1),
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    compose=solar_open,
    notes=(CORRECTION_BIAS_NOTE,),
    positions=parts.Positions.ROTARY,
)
MELLUM = Family(
    model_type="mellum",
    title="Mellum 2",
    source="https://huggingface.co/docs/transformers/model_doc/mellum",
    architectures=("MellumForCausalLM",),
    defaults={
        **sizes(D=2304, L=28, H=32, H_kv=4, d_h=128, F=7168, V=98_304, E=64, k=8, F_e=896, w=1024),
        **unset(k.FFN_LAYER_TYPES, k.LAYER_TYPES, k.MTP_LAYERS),
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(k.ATTENTION_HEADS_RULE, k.one_for_each_layer(k.FFN_LAYER_TYPES), k.LISTED_WINDOWS_RULE),
    compose=mellum,
    notes=(MTP_NOTE,),
    windows=parts.windows_by_layer_types(otherwise=parts.no_layer),
    positions=parts.Positions.ROTARY,
)
