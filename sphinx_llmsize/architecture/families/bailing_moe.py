"""Ling and Ling 2.0: fused attention, a gated MLP in the first layers, then experts."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, MTP_NOTE
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.tasks import first_class
from sphinx_llmsize.translation import N_

OUTPUT_BIAS = k.flag("output_bias use_bias", N_("a bias on the attention's output projection"))
ROUTER_CORRECTION = k.flag(
    "router_correction moe_router_enable_expert_bias",
    N_("routers with a correction bias, which is not a parameter"),
    part="experts",
)


def bailing_moe(config: Config) -> Items:
    """GQA with optional QK norms; a gated MLP, or experts and shared experts of the same width."""
    attention = parts.fused_attention(
        bias=config.flag(k.QKV_BIAS),
        output_bias=config.flag(OUTPUT_BIAS),
        width=parts.QUERY_WIDTH,
        kv_width=parts.KEY_WIDTH,
        norms=parts.qk_norms() if config.flag(k.QK_NORM) else (),
    )
    experts = parts.experts_and_shared(config)
    return parts.decoder_with_experts(config, attention, experts, parts.first_dense(config))


def _derive_qk_norm(settings: k.Settings) -> k.Settings:
    """QK norms by default if the class is of version 2, such as ``BailingMoeV2ForCausalLM``."""
    return {k.QK_NORM: "V2" in first_class(settings)}


def check_shared_width(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that shared experts are as wide as routed ones, if there are shared experts."""
    width = settings[k.SHARED_EXPERT_DIM]
    if settings[k.NUM_SHARED_EXPERTS] and width not in (None, settings[k.EXPERT_DIM]):
        message = N_("{key} must be the same as {other}")
        hint = N_("the published code gives shared experts the width of the others")
        raise parsed.error(message, k.SHARED_EXPERT_DIM, k.EXPERT_DIM, hint=hint)


BAILING_MOE = Family(
    model_type="bailing_moe",
    title="Ling",
    source="https://arxiv.org/abs/2503.05139",
    architectures=("BailingMoeForCausalLM", "BailingMoeV2ForCausalLM"),
    defaults={
        **sizes(D=1024, L=24, H=16, H_kv=None, d_h=None, F=None, V=30_592),
        **sizes(E=16, k=2, F_e=None, E_s=None, F_s=None),
        k.FIRST_DENSE_LAYERS: 0,
        **off(k.QKV_BIAS, ROUTER_CORRECTION, k.TIE_EMBEDDINGS),
        OUTPUT_BIAS: True,
        **unset(k.QK_NORM, k.MTP_LAYERS),
    },
    rules=(k.ATTENTION_HEADS_RULE, k.Rule(derive=_derive_qk_norm, check=check_shared_width)),
    compose=bailing_moe,
    notes=(MTP_NOTE, replace(CORRECTION_BIAS_NOTE, key=ROUTER_CORRECTION)),
    positions=parts.Positions.ROTARY,
)
BAILING_MOE_V2 = variant(
    BAILING_MOE,
    "bailing_moe_v2",
    "Ling 2.0",
    "BailingMoeV2ForCausalLM",
    "https://arxiv.org/abs/2510.22115",
    defaults={
        **sizes(D=2048, L=20, H_kv=4, d_h=128, F=5120, V=157_184),
        **sizes(E=256, k=8, F_e=512, E_s=1),
        k.FIRST_DENSE_LAYERS: 1,
        **off(OUTPUT_BIAS),
        ROUTER_CORRECTION: True,
        k.QK_NORM: True,
    },
)
