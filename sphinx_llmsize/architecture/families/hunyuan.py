"""Hunyuan (dense or MoE) and Hy3: QK norms; Hy4: latent attention and residual streams."""

from __future__ import annotations

from sphinx_llmsize.algebra import LayerSize, Quantity
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, MTP_NOTE
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.families.qwen import qwen3
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import among, every, first, from_list, layer_stacks, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.tensors import ExpertCount
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import E_S, F_E, E, F, K, L
from sphinx_llmsize.translation import N_

EXPERTS_PER_TOKEN_BY_LAYER = k.size_key(
    K,
    "experts_per_token_of_layers num_experts_per_token num_experts_per_tok moe_topk",
    kind=k.ValueKind.WHOLE_OR_LIST,
)
"""Experts per token: one number, or a list with one number for each layer."""


def hunyuan_moe(config: Config) -> Items:
    """GQA with QK norms; experts and a shared expert, all of width F."""
    attention = parts.gqa_with_qk_norm(config)
    counts = config.counts(EXPERTS_PER_TOKEN_BY_LAYER)
    is_uniform = len(set(counts)) == 1
    # block() gets a layer's kind, which names it for readers, and looks up the number
    count_of_kind = {_kind_with_experts_per_token(count): count for count in counts}

    def block(kind: LayerKind) -> Block:
        per_token = _experts_per_token(count_of_kind[kind], is_uniform=is_uniform)
        experts = parts.gated_experts(width=F, expert_count=ExpertCount(E, per_token))
        feed_forward = parts.mixture_of_experts(experts, shared=parts.shared_expert(width=F))
        return parts.pre_norm(parts.rms_norm, attention, feed_forward)

    kinds = [_kind_with_experts_per_token(count) for count in counts]
    return parts.layered_decoder(
        config, block, kind=same(kinds[0]) if is_uniform else from_list(kinds)
    )


def _kind_with_experts_per_token(count: int) -> LayerKind:
    """Kind of layers with ``count`` experts per token."""
    return LayerKind(f"top_{count}", N_("top-{number}", number=count), short=f"top{count}")


def _experts_per_token(count: int, *, is_uniform: bool) -> Quantity:
    """Experts per token: k if all layers have the same number n, otherwise k_n."""
    if is_uniform:
        return Quantity(K.name, K.meaning, count)
    meaning = N_("experts per token in layers with {number}", number=count)
    return LayerSize(f"k_{count}", meaning, count)


def hy_v3(config: Config) -> Items:
    """GQA with QK norms; a gated MLP in the first layer, then experts and a shared expert."""
    bias = config.flag(k.MLP_BIAS)
    # transformers always builds a shared expert; without E_s it has the MLP's width F
    shared_width = parts.width_of_shared_experts(config, F_E) if config.has(E_S) else F
    shared = parts.shared_expert(width=shared_width, bias=bias)
    return parts.decoder_with_experts(
        config,
        parts.gqa_with_qk_norm(config),
        parts.mixture_of_experts(parts.gated_experts(), shared=shared),
        parts.ffn_kinds(config, otherwise=first(1, parts.DENSE, then=parts.MOE)),
        dense=parts.gated_mlp(bias=bias),
    )


def hy_v4(config: Config) -> Items:
    """Gated latent attention with sinks, then an MLP or experts; several residual streams."""

    def block(index: LayerKind, ffn: LayerKind) -> Block:
        attention = parts.mla(
            config,
            index=parts.lightning_indexer() if index == parts.OWN_INDEX else (),
            gate=(parts.output_gate(gated=parts.MLA_VALUE_WIDTH),),
        )
        attention = parts.add_tensors(attention, *parts.sinks(), to="scores")
        feed_forward = parts.gated_mlp() if ffn == parts.DENSE else parts.experts_and_shared(config)
        return parts.pre_norm_on_streams(parts.gated_connection, attention, feed_forward)

    # by default, layers 0, 1, 5, 9 … have an indexer of their own
    every_fourth = every(4, parts.OWN_INDEX, others=parts.SHARED_INDEX, start=1)
    own_indexers = among([0], parts.OWN_INDEX, others=every_fourth)
    layers = layer_stacks(
        config.count(L),
        block,
        index=parts.indexer_kinds(config, otherwise=own_indexers),
        ffn=parts.ffn_kinds(config, otherwise=first(1, parts.DENSE, then=parts.MOE)),
    )
    return parts.decoder(config, (*layers, *parts.stream_collapse()))


HUNYUAN_DENSE = variant(
    LIKE_LLAMA,
    "hunyuan_v1_dense",
    "Hunyuan (dense)",
    "HunYuanDenseV1ForCausalLM",
    "https://huggingface.co/tencent/Hunyuan-7B-Instruct",
    defaults=sizes(F=11_008, V=290_943),
    removed=(k.MLP_BIAS,),
    compose=qwen3,
)
HUNYUAN_MOE = variant(
    HUNYUAN_DENSE,
    "hunyuan_v1_moe",
    "Hunyuan (MoE)",
    "HunYuanMoEV1ForCausalLM",
    "https://huggingface.co/tencent/Hunyuan-A13B-Instruct",
    defaults={**sizes(E=1), EXPERTS_PER_TOKEN_BY_LAYER: 1},
    rules=(k.ATTENTION_HEADS_RULE, k.one_for_each_layer(EXPERTS_PER_TOKEN_BY_LAYER)),
    compose=hunyuan_moe,
)
HY_V3 = variant(
    HUNYUAN_DENSE,
    "hy_v3",
    "Hy3",
    "HYV3ForCausalLM",
    defaults={
        **sizes(L=80, H=64, H_kv=8, d_h=128, F=13_312, V=120_832),
        **sizes(E=192, k=8, F_e=1536, E_s=1),
        **unset(k.FFN_LAYER_TYPES, k.MTP_LAYERS),
        **off(k.MLP_BIAS),
    },
    rules=(k.ATTENTION_HEADS_RULE, k.one_for_each_layer(k.FFN_LAYER_TYPES)),
    compose=hy_v3,
    notes=(CORRECTION_BIAS_NOTE, MTP_NOTE),
)
HY_V4 = Family(
    model_type="hy_v4",
    title="Hy4",
    source="https://huggingface.co/docs/transformers/model_doc/hy_v4",
    architectures=("HYV4ForCausalLM",),
    defaults={
        **sizes(D=2816, L=34, H=32, V=120_832),
        **sizes(R_q=1536, R_kv=512, d_nope=192, d_rope=64, d_v=256, H_i=16, d_i=128, n_hc=4),
        **sizes(F=6912, E=256, k=8, F_e=768, E_s=1),
        **unset(k.INDEXER_TYPES, k.FFN_LAYER_TYPES, k.MTP_LAYERS),
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(k.QUERY_LATENT_RULE, k.one_for_each_layer(k.FFN_LAYER_TYPES, k.INDEXER_TYPES)),
    compose=hy_v4,
    notes=(CORRECTION_BIAS_NOTE, MTP_NOTE),
    positions=parts.Positions.ROTARY,
)
HY_V4_VL = variant(
    HY_V4,
    "hy_v4_vl_text",
    "Hy4-VL",
    "HYV4VLForConditionalGeneration",
    defaults=sizes(D=6144, L=78, H=64, R_q=2048, H_i=32, F=18_432, F_e=2048),
)
HUNYUAN_VL = variant(
    HUNYUAN_DENSE,
    "hunyuan_vl_text",
    "HunyuanVL",
    "HunYuanVLForConditionalGeneration",
    defaults={k.TIE_EMBEDDINGS: True},
    names={
        **HUNYUAN_DENSE.names,
        "org_vocab_size": k.VOCAB_SIZE,
        "attention_head_dim": k.HEAD_DIM,
    },
)
