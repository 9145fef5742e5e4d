"""Hy3, and Hy4 with latent attention between several residual streams."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.qwen import normed_attention
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import among, every, first, layered
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.parts.attention import output_gate, sinks
from sphinx_llmsize.architecture.parts.blocks import with_weights
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.hyper_connections import gated_connection, stream_collapse
from sphinx_llmsize.architecture.parts.indexers import lightning_indexer
from sphinx_llmsize.architecture.parts.latent_attention import VALUE_WIDTH, latent_attention
from sphinx_llmsize.architecture.parts.layer_kinds import OWN, SHARED, ffn_kinds, indexer_kinds
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts, experts_and_shared
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    E_S,
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    F_E,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
)
from sphinx_llmsize.config.indexer import INDEX_HEAD_DIM, INDEX_HEADS, INDEXER_TYPES
from sphinx_llmsize.config.latent_attention import (
    KV_LORA_RANK,
    NOPE_HEAD_DIM,
    Q_LORA_RANK,
    QUERY_LATENT,
    ROPE_HEAD_DIM,
    V_HEAD_DIM,
)
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer
from sphinx_llmsize.config.streams import RESIDUAL_STREAMS
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    MLP_BIAS,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
    L,
)


def hy_v3(config: Config) -> tuple[Item, ...]:
    """The first layer dense, unless listed; without shared experts, an MLP stands for them."""
    bias = config.flag(MLP_BIAS)
    shared = shared_expert(width=E_S * F_E if config.has(E_S) else F, bias=bias)
    return decoder_with_experts(
        config,
        normed_attention(config),
        mixture_of_experts(gated_experts(), shared=shared),
        ffn_kinds(config, first(1, "dense", then="MoE")),
        dense=gated_mlp(bias=bias),
    )


def hy_v4(config: Config) -> tuple[Item, ...]:
    """Gated latent attention with sinks, some indexers shared, between gated streams."""

    def block(index: str, ffn: str) -> Block:
        attention = latent_attention(
            query_latent=True,
            bias=config.flag(ATTENTION_BIAS),
            index=lightning_indexer() if index == OWN else (),
            gate=(output_gate(gated=VALUE_WIDTH),),
        )
        return (
            *gated_connection("attention_streams", "Streams to attention"),
            rms_norm("attention_norm", "Attention norm"),
            *with_weights(attention, *sinks(), of="scores"),
            *gated_connection("ffn_streams", "Streams to FFN"),
            rms_norm("ffn_norm", "FFN norm"),
            *(gated_mlp() if ffn == "dense" else experts_and_shared(config)),
        )

    fourth = among([0], OWN, others=every(4, OWN, others=SHARED, start=1))
    kinds = {
        "index": indexer_kinds(config, fourth),
        "ffn": ffn_kinds(config, first(1, "dense", then="MoE")),
    }
    layers = layered(config.count(L), block, **kinds)
    return decoder(config, (*layers, *stream_collapse()), norm=rms_norm)


HY_V3 = Family(
    model_type="hy_v3",
    title="Hy3",
    source="https://huggingface.co/docs/transformers/model_doc/hy_v3",
    architectures=("HYV3ForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 80,
        NUM_HEADS: 64,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 128,
        FFN_DIM: 13_312,
        NUM_EXPERTS: 192,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 1536,
        NUM_SHARED_EXPERTS: 1,
        FFN_LAYER_TYPES: None,
        VOCAB_SIZE: 120_832,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(FFN_LAYER_TYPES)),
    compose=hy_v3,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
)

HY_V4 = Family(
    model_type="hy_v4",
    title="Hy4",
    source="https://huggingface.co/docs/transformers/model_doc/hy_v4",
    architectures=("HYV4ForCausalLM",),
    defaults={
        HIDDEN_DIM: 2816,
        NUM_LAYERS: 34,
        NUM_HEADS: 32,
        Q_LORA_RANK: 1536,
        KV_LORA_RANK: 512,
        NOPE_HEAD_DIM: 192,
        ROPE_HEAD_DIM: 64,
        V_HEAD_DIM: 256,
        INDEX_HEADS: 16,
        INDEX_HEAD_DIM: 128,
        INDEXER_TYPES: None,
        RESIDUAL_STREAMS: 4,
        FFN_DIM: 6912,
        NUM_EXPERTS: 256,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 768,
        NUM_SHARED_EXPERTS: 1,
        FFN_LAYER_TYPES: None,
        VOCAB_SIZE: 120_832,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(QUERY_LATENT, one_for_each_layer(FFN_LAYER_TYPES, INDEXER_TYPES)),
    compose=hy_v4,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
)

FAMILIES = (HY_V3, HY_V4)
