"""Hy3, and Hy4 with latent attention between several residual streams."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.qwen import normed_attention
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
    """The first layer dense, unless listed; without shared experts, an MLP stands for them."""
    bias = config.flag(k.MLP_BIAS)
    shared = parts.shared_expert(width=E_S * F_E if config.has(E_S) else F, bias=bias)
    return parts.decoder_with_experts(
        config,
        normed_attention(config),
        parts.mixture_of_experts(parts.gated_experts(), shared=shared),
        parts.ffn_kinds(config, first(1, parts.DENSE, then=parts.MOE)),
        dense=parts.gated_mlp(bias=bias),
    )


def hy_v4(config: Config) -> tuple[Item, ...]:
    """Gated latent attention with sinks, some indexers shared, between gated streams."""

    def block(index: LayerKind, ffn: LayerKind) -> Block:
        attention = parts.latent_attention(
            query_latent=True,
            bias=config.flag(k.ATTENTION_BIAS),
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
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 80,
        k.NUM_HEADS: 64,
        k.NUM_KV_HEADS: 8,
        k.HEAD_DIM: 128,
        k.FFN_DIM: 13_312,
        k.NUM_EXPERTS: 192,
        k.EXPERTS_PER_TOKEN: 8,
        k.EXPERT_DIM: 1536,
        k.NUM_SHARED_EXPERTS: 1,
        k.FFN_LAYER_TYPES: None,
        k.VOCAB_SIZE: 120_832,
        k.ATTENTION_BIAS: False,
        k.MLP_BIAS: False,
        k.TIE_EMBEDDINGS: False,
        k.NEXT_TOKEN_LAYERS: None,
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
        k.HIDDEN_DIM: 2816,
        k.NUM_LAYERS: 34,
        k.NUM_HEADS: 32,
        k.Q_LORA_RANK: 1536,
        k.KV_LORA_RANK: 512,
        k.NOPE_HEAD_DIM: 192,
        k.ROPE_HEAD_DIM: 64,
        k.V_HEAD_DIM: 256,
        k.INDEX_HEADS: 16,
        k.INDEX_HEAD_DIM: 128,
        k.INDEXER_TYPES: None,
        k.RESIDUAL_STREAMS: 4,
        k.FFN_DIM: 6912,
        k.NUM_EXPERTS: 256,
        k.EXPERTS_PER_TOKEN: 8,
        k.EXPERT_DIM: 768,
        k.NUM_SHARED_EXPERTS: 1,
        k.FFN_LAYER_TYPES: None,
        k.VOCAB_SIZE: 120_832,
        k.ATTENTION_BIAS: False,
        k.TIE_EMBEDDINGS: False,
        k.NEXT_TOKEN_LAYERS: None,
    },
    rules=(k.QUERY_LATENT, k.one_for_each_layer(k.FFN_LAYER_TYPES, k.INDEXER_TYPES)),
    compose=hy_v4,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
)

FAMILIES = (HY_V3, HY_V4)
