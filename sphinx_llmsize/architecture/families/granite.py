"""Granite: Llama's layers, optionally with sinks or experts; Granite 4.0: a Mamba-2 hybrid."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.families.mamba import mamba2_mixer
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F_S, E, F


def granite_swa(config: Config) -> Items:
    """Granite with sinks in every layer and sliding windows in three of four layers."""
    return parts.uniform_decoder(
        config, parts.gqa(config, scores=parts.sinks()), parts.gated_mlp_of(config)
    )


def granite_moe(config: Config) -> Items:
    """Granite with experts of width F in place of the MLP."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    return parts.uniform_decoder(config, parts.gqa(config), experts)


def granite_moe_shared(config: Config) -> Items:
    """Granite MoE with a shared expert if its width is not 0."""
    return parts.uniform_decoder(config, parts.gqa(config), _experts(config))


def granite_moe_swa(config: Config) -> Items:
    """Granite MoE with an optional shared expert, sinks and sliding windows."""
    return parts.uniform_decoder(config, parts.gqa(config, scores=parts.sinks()), _experts(config))


def _experts(config: Config) -> Block:
    """Experts of width F, and a shared expert if its width is not 0."""
    shared = parts.shared_expert() if config.has(k.SHARED_EXPERT_DIM) else ()
    return parts.mixture_of_experts(parts.gated_experts(width=F), shared=shared)


KIND_BY_NAME = parts.mixer_names(parts.MAMBA2, parts.MIXER_ATTENTION)
"""Mixers by their names in ``layer_types``."""
EXPERTS_PER_TOKEN_OR_ZERO = replace(k.EXPERTS_PER_TOKEN, kind=k.ValueKind.WHOLE)
"""Experts per token; unlike in other families, 0 is valid (models without experts)."""

OPTIONAL_POSITION_KIND = replace(k.POSITION_KIND, optional=True)
"""Kind of positions; null, as in files without it, means none."""


def granite_hybrid(config: Config) -> Items:
    """Attention in listed layers, Mamba-2 in others; a shared expert, and routed ones if E > 0."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F), shared=parts.shared_expert())
    feed_forward = experts if config.has(E) else parts.fused_gated_mlp(width=F_S)

    def block(mixer: LayerKind) -> Block:
        if mixer == parts.MIXER_ATTENTION:
            return parts.pre_norm(parts.rms_norm, parts.gqa(config), feed_forward)
        return parts.mixer_pre_norm(parts.rms_norm, mamba2_mixer(config), feed_forward)

    kinds = parts.mixer_kinds(config, KIND_BY_NAME, otherwise=same(parts.MAMBA2))
    return parts.layered_decoder(config, block, mixer=kinds)


GRANITE = variant(
    LIKE_LLAMA,
    "granite",
    "Granite",
    "GraniteForCausalLM",
    "https://arxiv.org/abs/2408.13359",
    defaults=sizes(F=11_008),
)
GRANITE_SWA = variant(
    GRANITE,
    "granite_swa",
    "Granite SWA",
    "GraniteSWAForCausalLM",
    defaults={
        **sizes(D=2560, L=24, H=20, H_kv=4, F=8192, V=100_352, w=128),
        k.LAYER_TYPES: None,
        k.TIE_EMBEDDINGS: True,
    },
    compose=granite_swa,
    rules=(*GRANITE.rules, k.LISTED_WINDOWS_RULE),
    windows=parts.windows_by_layer_types(otherwise=parts.full_every(4, start=0)),
)
GRANITE_MOE = variant(
    GRANITE,
    "granitemoe",
    "Granite MoE",
    "GraniteMoeForCausalLM",
    "https://arxiv.org/abs/2408.13359",
    defaults=sizes(E=8, k=2),
    removed=(k.MLP_BIAS,),
    compose=granite_moe,
)
GRANITE_MOE_SHARED = variant(
    GRANITE_MOE,
    "granitemoeshared",
    "Granite MoE with a shared expert",
    "GraniteMoeSharedForCausalLM",
    defaults={k.SHARED_EXPERT_DIM: 0},
    compose=granite_moe_shared,
)
GRANITE_MOE_SWA = variant(
    GRANITE_MOE_SHARED,
    "granitemoe_swa",
    "Granite MoE SWA",
    "GraniteMoeSWAForCausalLM",
    defaults={k.SLIDING_WINDOW: 128, k.LAYER_TYPES: None},
    rules=(*GRANITE_MOE_SHARED.rules, k.LISTED_WINDOWS_RULE),
    compose=granite_moe_swa,
    windows=parts.windows_by_layer_types(otherwise=parts.full_every(4, start=0)),
)
GRANITE_HYBRID = Family(
    model_type="granitemoehybrid",
    title="Granite 4.0",
    source="https://huggingface.co/docs/transformers/model_doc/granitemoehybrid",
    architectures=("GraniteMoeHybridForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, d_h=None, V=32_000),
        **sizes(H_m=128, d_m=None, G_m=1, S=256, W=4, X=2, D_inner=None, F=11_008, E=8),
        **unset(k.LAYER_TYPES, OPTIONAL_POSITION_KIND),
        EXPERTS_PER_TOKEN_OR_ZERO: 2,
        k.SHARED_EXPERT_DIM: 1024,
        k.MIXER_CONV_BIAS: True,
        **off(k.MIXER_BIAS, k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    names={"mamba_proj_bias": k.MIXER_BIAS},
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.INNER_WIDTH_RULE,
        k.STATE_SPACE_HEADS_RULE,
        k.layer_types_of(*KIND_BY_NAME),
        k.one_of(OPTIONAL_POSITION_KIND, "rope", "nope"),
    ),
    compose=granite_hybrid,
    positions=lambda config: (
        parts.Positions.ROTARY if config[OPTIONAL_POSITION_KIND] == "rope" else parts.Positions.NONE
    ),
)
GRANITE4_VISION = variant(
    GRANITE, "granite4_vision_text", "Granite 4 Vision", "Granite4VisionForConditionalGeneration"
)
GRANITE_DOCLING = variant(
    GRANITE,
    "granite_docling_text",
    "Granite Docling",
    "GraniteDoclingForConditionalGeneration",
    defaults={**sizes(D=1024, L=28, H=16, H_kv=4, F=2048, V=133_800), k.TIE_EMBEDDINGS: True},
)
