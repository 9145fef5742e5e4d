"""Hunyuan with experts: Hunyuan-A13B, Hy3, and Hy4 with latent attention and several streams."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture.families.deepseek import (
    CORRECTION_BIAS_NOTE,
    NEXT_TOKEN_NOTE,
    QUERY_LATENT,
)
from sphinx_llmsize.architecture.families.qwen import normed_attention
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, among, every, first, layered, listed, same
from sphinx_llmsize.architecture.parts.attention import output_gate, sinks
from sphinx_llmsize.architecture.parts.blocks import pre_norm, with_weights
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.hyper_connections import gated_connection, stream_collapse
from sphinx_llmsize.architecture.parts.latent_attention import latent_attention, lightning_indexer
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.other_sizes import with_sizes
from sphinx_llmsize.architecture.parts.sparse_layers import (
    decoder_with_experts,
    experts_and_shared,
    ffn_kinds,
)
from sphinx_llmsize.architecture.pieces import Block, Copies, Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    E_S,
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    F_E,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
    E,
    K,
)
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.latent import (
    D_V,
    INDEX_HEAD_DIM,
    INDEX_HEADS,
    INDEXER_TYPES,
    KV_LORA_RANK,
    NOPE_HEAD_DIM,
    Q_LORA_RANK,
    ROPE_HEAD_DIM,
    V_HEAD_DIM,
)
from sphinx_llmsize.config.layer_keys import FFN_LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer
from sphinx_llmsize.config.streams import RESIDUAL_STREAMS
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    D_H,
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

USED_IN_LAYERS = Key(
    "experts_per_token_of_layers",
    K.meaning,
    ("num_experts_per_token", "num_experts_per_tok", "moe_topk"),
    Kind.COUNTS,
)
"""In this family each layer may have its own."""
OWN, SHARED = "indexer", "shared indexer"


def hunyuan_moe(config: Config) -> tuple[Item, ...]:
    """Norms on queries and keys; one shared expert as wide as the others."""
    attention, counts = normed_attention(config), config.counts(USED_IN_LAYERS)
    alike = len(set(counts)) == 1

    def block(used: str) -> Block:
        count = int(used.split()[1])
        several = Quantity(f"k_{count}", f"experts that a token uses where it uses {count}", count)
        copies = Copies(E, Quantity(K.name, K.meaning, count) if alike else several)
        experts = gated_experts(width=F, copies=copies)
        feed_forward = mixture_of_experts(experts, shared=shared_expert(width=F))
        return pre_norm(rms_norm, attention, feed_forward)

    names = [f"top {count}" for count in counts]
    kinds = same(names[0]) if alike else listed(names)
    return decoder(config, layered(config.count(L), block, used=kinds), norm=rms_norm)


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
            gate=with_sizes((output_gate(),), {D_H: D_V}),
        )
        return (
            *gated_connection("attention_streams", "Streams to attention"),
            rms_norm("attention_norm", "Attention norm"),
            *with_weights(attention, *sinks(), of="scores"),
            *gated_connection("ffn_streams", "Streams to feed-forward"),
            rms_norm("ffn_norm", "FFN norm"),
            *(gated_mlp() if ffn == "dense" else experts_and_shared(config)),
        )

    kinds = {
        "index": indexer_kinds(config),
        "ffn": ffn_kinds(config, first(1, "dense", then="MoE")),
    }
    layers = layered(config.count(L), block, **kinds)
    return decoder(config, (*layers, *stream_collapse()), norm=rms_norm)


def indexer_kinds(config: Config) -> Kinds:
    """An indexer in the first layer and then in every fourth, unless the layers are listed."""
    if types := config.names(INDEXER_TYPES):
        return listed([SHARED if name == "shared" else OWN for name in types])
    return among([0], OWN, others=every(4, OWN, others=SHARED, start=1))


HUNYUAN_MOE = Family(
    model_type="hunyuan_v1_moe",
    title="Hunyuan (MoE)",
    source="https://huggingface.co/tencent/Hunyuan-A13B-Instruct",
    architectures=("HunYuanMoEV1ForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 11_008,
        NUM_EXPERTS: 1,
        USED_IN_LAYERS: 1,
        VOCAB_SIZE: 290_943,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(USED_IN_LAYERS)),
    compose=hunyuan_moe,
)
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

FAMILIES = (HUNYUAN_MOE, HY_V3, HY_V4)
