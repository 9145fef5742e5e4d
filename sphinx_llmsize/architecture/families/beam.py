"""Beam and Kolibri: sandwich norms, QK norms and experts."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.architecture.layers import first
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F_S


def beam(config: Config) -> Items:
    """Attention with an output gate; by default an MLP in the first three layers, then experts."""
    gate = parts.output_gate(bias_per_head=True)
    attention = parts.with_gate(parts.gqa_with_qk_norm(config), (gate,))
    kinds = parts.ffn_kinds(config, otherwise=first(3, parts.DENSE, then=parts.MOE))
    experts = parts.mixture_of_experts(parts.gated_experts())
    return parts.decoder_with_experts(config, attention, experts, kinds, frame=parts.sandwich_norm)


def kolibri(config: Config) -> Items:
    """GQA with QK norms; experts in every layer, and a shared expert if its dimension is set."""
    shared = parts.shared_expert() if config.has(F_S) else ()
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=shared)
    attention = parts.grouped_query_attention(norms=parts.qk_norms())
    return parts.uniform_decoder(config, attention, experts, frame=parts.sandwich_norm)


BEAM = Family(
    model_type="beam",
    title="Beam",
    source="https://huggingface.co/docs/transformers/model_doc/beam",
    architectures=("BeamForCausalLM",),
    defaults={
        **sizes(D=5120, L=52, H=48, H_kv=8, d_h=128, F=20_480, V=151_936),
        **sizes(E=256, k=8, F_e=2560, w=512),
        **unset(k.FFN_LAYER_TYPES, k.LAYER_TYPES),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS),
    },
    compose=beam,
    rules=(k.ATTENTION_HEADS_RULE, k.one_for_each_layer(k.FFN_LAYER_TYPES), k.LISTED_WINDOWS_RULE),
    windows=parts.windows_by_layer_types(otherwise=parts.all_but_last_layer(parts.full_every(6))),
    positions=None,  # rope_parameters, which isn't read, has them for each kind of layer
)
KOLIBRI_WINDOWS = parts.windows_by_layer_types(otherwise=parts.full_every(5))
KOLIBRI = Family(
    model_type="kolibri1",
    title="Kolibri",
    source="https://huggingface.co/docs/transformers/model_doc/kolibri1",
    architectures=("Kolibri1ForCausalLM",),
    defaults={
        **sizes(D=2560, L=50, H=48, H_kv=4, d_h=128, V=128_000),
        **sizes(E=384, k=6, F_e=512, F_s=512, w=513),
        k.LAYER_TYPES: None,
        k.TIE_EMBEDDINGS: False,
    },
    compose=kolibri,
    rules=(k.ATTENTION_HEADS_RULE, k.LISTED_WINDOWS_RULE),
    windows=KOLIBRI_WINDOWS,
    positions=parts.rotary_with_window_or_all(KOLIBRI_WINDOWS),
)
