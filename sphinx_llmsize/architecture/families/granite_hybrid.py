"""Granite 4.0: Mamba-2 and attention layers, each followed by experts or an MLP."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import off, sizes
from sphinx_llmsize.architecture.families.common_layers import gqa
from sphinx_llmsize.architecture.families.mamba import mamba2_mixer
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import layered, same
from sphinx_llmsize.architecture.stacks import Item, LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Kind
from sphinx_llmsize.config.rule import only_these
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import F_S, E, F, L

NAMES = parts.mixer_names(parts.MAMBA2)
PER_TOKEN = replace(k.EXPERTS_PER_TOKEN, kind=Kind.WHOLE)
"""Experts per token: 0 in the models without experts."""


def granite_hybrid(config: Config) -> tuple[Item, ...]:
    """Attention where ``layer_types`` lists it, else Mamba-2; a shared expert or MLP."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F), shared=parts.shared_expert())
    feed_forward = experts if config.has(E) else parts.fused_gated_mlp(width=F_S)

    def block(mixer: LayerKind) -> Block:
        if mixer == parts.FULL_ATTENTION:
            return parts.pre_norm(parts.rms_norm, gqa(config), feed_forward)
        return parts.mixer_pre_norm(parts.rms_norm, mamba2_mixer(config), feed_forward)

    mixer = parts.mixer_kinds(config, NAMES, otherwise=same(parts.MAMBA2))
    return parts.decoder(config, layered(config.count(L), block, mixer=mixer), norm=parts.rms_norm)


GRANITE_HYBRID = Family(
    model_type="granitemoehybrid",
    title="Granite 4.0",
    source="https://huggingface.co/docs/transformers/model_doc/granitemoehybrid",
    architectures=("GraniteMoeHybridForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, d_h=None, V=32_000),
        **sizes(H_m=128, d_m=None, G_m=1, S=256, W=4, X=2, F=11_008, E=8),
        k.LAYER_TYPES: None,
        PER_TOKEN: 2,
        k.SHARED_EXPERT_DIM: 1024,
        k.MIXER_CONV_BIAS: True,
        **off(k.MIXER_BIAS, k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    names={"mamba_proj_bias": k.MIXER_BIAS},
    rules=(
        ATTENTION_HEADS,
        k.STATE_SPACE_HEADS,
        k.one_for_each_layer(k.LAYER_TYPES),
        only_these(k.LAYER_TYPES, NAMES),
    ),
    compose=granite_hybrid,
)
