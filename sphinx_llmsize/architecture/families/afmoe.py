"""AFMoE (Trinity): sandwich norms, QK norms, an output gate; experts after dense layers."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def afmoe(config: Config) -> Items:
    """Gated attention; a gated MLP in the first layers, then experts.

    The router's correction bias is a parameter here, not a buffer as in other families.
    """
    attention = parts.with_gate(parts.gqa_with_qk_norm(config), (parts.output_gate(),))
    experts = parts.experts_and_shared(config, router=parts.corrected_router())
    kinds = parts.first_dense(config)
    return parts.decoder_with_experts(config, attention, experts, kinds, frame=parts.sandwich_norm)


WINDOWS = parts.windows_by_layer_types(otherwise=parts.pattern_layers())
AFMOE = Family(
    model_type="afmoe",
    title="AFMoE (Trinity)",
    source="https://huggingface.co/arcee-ai/Trinity-Mini",
    architectures=("AfmoeForCausalLM",),
    defaults={
        **sizes(D=2048, L=32, H=16, H_kv=None, d_h=128, F=6144, V=200_192),
        **sizes(E=64, k=6, F_e=1408, E_s=2, w=1024),
        k.FIRST_DENSE_LAYERS: 1,
        k.WINDOW_PATTERN: 4,
        k.LAYER_TYPES: None,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    compose=afmoe,
    rules=(k.ATTENTION_HEADS_RULE, k.LISTED_WINDOWS_RULE),
    windows=WINDOWS,
    names={"global_attn_every_n_layers": k.WINDOW_PATTERN},
    positions=parts.rotary_with_window(WINDOWS),
)
