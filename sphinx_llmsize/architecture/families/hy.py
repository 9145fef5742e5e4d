"""Hy3, and Hy4 with latent attention and residual streams."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import off, sizes, unset
from sphinx_llmsize.architecture.families.common_layers import gqa_with_qk_norm, mla
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import every, first, layered
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.stacks import Item, LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import E_S, F_E, F, L
from sphinx_llmsize.translation import N_


def hy_v3(config: Config) -> tuple[Item, ...]:
    """GQA with QK norms; a gated MLP in the first layer, then experts and a shared expert."""
    bias = config.flag(k.MLP_BIAS)
    shared = parts.shared_expert(width=E_S * F_E if config.has(E_S) else F, bias=bias)
    return parts.decoder_with_experts(
        config,
        gqa_with_qk_norm(config),
        parts.mixture_of_experts(parts.gated_experts(), shared=shared),
        parts.ffn_kinds(config, first(1, parts.DENSE, then=parts.MOE)),
        dense=parts.gated_mlp(bias=bias),
    )


def hy_v4(config: Config) -> tuple[Item, ...]:
    """Gated latent attention with sinks and experts, between gated residual streams."""

    def block(index: LayerKind, ffn: LayerKind) -> Block:
        attention = mla(
            config,
            index=parts.lightning_indexer() if index == parts.OWN_INDEX else (),
            gate=(parts.output_gate(gated=parts.MLA_VALUE_WIDTH),),
        )
        return (
            *parts.gated_connection("attention_streams", N_("Streams to attention")),
            parts.rms_norm("attention_norm", N_("Attention norm")),
            *parts.add_tensors(attention, *parts.sinks(), to="scores"),
            *parts.gated_connection("ffn_streams", N_("Streams to FFN")),
            parts.rms_norm("ffn_norm", N_("FFN norm")),
            *(parts.gated_mlp() if ffn == parts.DENSE else parts.experts_and_shared(config)),
        )

    fourth = every(4, parts.OWN_INDEX, others=parts.SHARED_INDEX, start=1)
    kinds = {
        "index": parts.indexer_kinds(config, first(1, parts.OWN_INDEX, then=fourth)),
        "ffn": parts.ffn_kinds(config, first(1, parts.DENSE, then=parts.MOE)),
    }
    layers = layered(config.count(L), block, **kinds)
    return parts.decoder(config, (*layers, *parts.stream_collapse()), norm=parts.rms_norm)


HY_V3 = Family(
    model_type="hy_v3",
    title="Hy3",
    source="https://huggingface.co/docs/transformers/model_doc/hy_v3",
    architectures=("HYV3ForCausalLM",),
    defaults={
        **sizes(D=4096, L=80, H=64, H_kv=8, d_h=128, F=13_312, V=120_832),
        **sizes(E=192, k=8, F_e=1536, E_s=1),
        **unset(k.FFN_LAYER_TYPES, k.NEXT_TOKEN_LAYERS),
        **off(k.ATTENTION_BIAS, k.MLP_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(ATTENTION_HEADS, k.one_for_each_layer(k.FFN_LAYER_TYPES)),
    compose=hy_v3,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
)

HY_V4 = Family(
    model_type="hy_v4",
    title="Hy4",
    source="https://huggingface.co/docs/transformers/model_doc/hy_v4",
    architectures=("HYV4ForCausalLM",),
    defaults={
        **sizes(D=2816, L=34, H=32, V=120_832),
        **sizes(R_q=1536, R_kv=512, d_nope=192, d_rope=64, d_v=256, H_i=16, d_i=128, n_hc=4),
        **sizes(F=6912),
        **sizes(E=256, k=8, F_e=768, E_s=1),
        **unset(k.INDEXER_TYPES, k.FFN_LAYER_TYPES, k.NEXT_TOKEN_LAYERS),
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(k.QUERY_LATENT, k.one_for_each_layer(k.FFN_LAYER_TYPES, k.INDEXER_TYPES)),
    compose=hy_v4,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
)
