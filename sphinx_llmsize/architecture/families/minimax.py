"""MiniMax: lightning attention in Text-01, full attention in M2, an indexer in M3."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, MTP_NOTE
from sphinx_llmsize.architecture.families.mistral import MIXTRAL
from sphinx_llmsize.architecture.family import Family, Items, sizes, unset, variant
from sphinx_llmsize.architecture.layers import Kinds, every, from_list, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Group
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F
from sphinx_llmsize.translation import N_

LIGHTNING = LayerKind(
    "lightning_attention",
    N_("lightning-attention"),
    "lightning",
    group=Group.MIXER,
)
SPARSE = LayerKind("sparse_attention", N_("sparse-attention"), "sparse")
KIND_BY_NAME = parts.mixer_names(LIGHTNING)
"""Kinds of attention by their names in ``layer_types``."""
SPARSE_LAYER_FLAGS = k.make_key(
    "sparse_attention_layers sparse_attention_config.sparse_attention_freq",
    N_("for each layer 1 (with an indexer) or 0 (without)"),
    k.ValueKind.WHOLE_OR_LIST,
    optional=True,
)
EXPERT_LAYER_FLAGS = k.make_key(
    "expert_layer_flags moe_layer_freq",
    N_("for each layer 1 (experts) or 0 (FFN)"),
    k.ValueKind.WHOLE_OR_LIST,
    optional=True,
)
FULL_ATTENTION_FLAGS = k.make_key(
    "full_attention_flags attn_type_list",
    N_("for each layer 1 (full attention) or 0 (lightning attention)"),
    k.ValueKind.WHOLE_OR_LIST,
)


def minimax(config: Config) -> Items:
    """Lightning attention and full attention in alternating layers; experts in every layer."""
    alternating = every(2, parts.FULL_ATTENTION, others=LIGHTNING)
    return _lightning_decoder(
        config, parts.mixer_kinds(config, KIND_BY_NAME, otherwise=alternating)
    )


def minimax_text_01(config: Config) -> Items:
    """MiniMax-Text-01 in its own code, with a flag for the kind of attention of each layer."""
    flags = config.counts(FULL_ATTENTION_FLAGS)
    kinds = [parts.FULL_ATTENTION if flag else LIGHTNING for flag in flags]
    return _lightning_decoder(config, from_list(kinds))


def _lightning_decoder(config: Config, kinds: Kinds) -> Items:
    """Decoder whose layers have lightning attention or full attention, and experts.

    Their results are added to the output of the norm before them, not to its input.
    """
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))

    def block(mixer: LayerKind) -> Block:
        if mixer == parts.FULL_ATTENTION:
            mixing = parts.attention_residual(parts.rms_norm, parts.grouped_query_attention())
        else:
            mixing = parts.mixer_residual(parts.rms_norm, parts.lightning_attention())
        feed_forward = parts.ffn_residual(parts.rms_norm, experts)
        return (*parts.norm_outside(mixing), *parts.norm_outside(feed_forward))

    return parts.layered_decoder(config, block, mixer=kinds)


def minimax_m2(config: Config) -> Items:
    """GQA with one norm over all query heads and one over all key heads; experts in every layer."""
    norms = parts.qk_norms(query=parts.QUERY_WIDTH, key=parts.KEY_WIDTH)
    attention = parts.grouped_query_attention(norms=norms)
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    return parts.uniform_decoder(config, attention, experts)


def minimax_m3(config: Config) -> Items:
    """GQA with QK norms, sparse in some layers; experts and a shared expert, or an MLP."""
    full = parts.grouped_query_attention(norms=parts.qk_norms())
    sparse = parts.add_branch(full, parts.block_indexer(), before="scores")
    return parts.decoder_with_experts(
        config,
        {parts.FULL_ATTENTION: full, SPARSE: sparse},
        parts.mixture_of_experts(parts.gated_experts(), shared=parts.shared_expert()),
        expert_kinds(config),
        mixers=attention_kinds(config),
        dense=parts.fused_gated_mlp(),
    )


def attention_kinds(config: Config) -> Kinds:
    """Kinds in ``layer_types`` or, if it is null, from flags; by default all full attention."""
    is_sparse = [name == "minimax_m3_sparse" for name in config.names(k.LAYER_TYPES)]
    if not is_sparse:
        is_sparse = [flag > 0 for flag in config.counts(SPARSE_LAYER_FLAGS)]
    if not is_sparse:
        return same(parts.FULL_ATTENTION)
    return from_list([SPARSE if sparse else parts.FULL_ATTENTION for sparse in is_sparse])


def expert_kinds(config: Config) -> Kinds:
    """Kinds in ``mlp_layer_types`` or, if it is null, from flags; by default all experts."""
    flags = config.counts(EXPERT_LAYER_FLAGS)
    kinds = [parts.MOE if flag else parts.DENSE for flag in flags]
    otherwise = from_list(kinds) if kinds else same(parts.MOE)
    return parts.ffn_kinds(config, otherwise=otherwise)


MINIMAX = variant(
    MIXTRAL,
    "minimax",
    "MiniMax-Text-01",
    "MiniMaxForCausalLM",
    "https://arxiv.org/abs/2501.08313",
    defaults={k.LAYER_TYPES: None},
    rules=(k.ATTENTION_HEADS_RULE, k.layer_types_of(*KIND_BY_NAME)),
    compose=minimax,
)
REQUIRED = (*k.ESSENTIAL_SIZES, k.FFN_DIM, k.NUM_EXPERTS)
"""Sizes that a configuration for MiniMax's own code has to set."""
MINIMAX_TEXT_01 = variant(
    MIXTRAL,
    "minimax_text_01",
    "MiniMax-Text-01",
    "MiniMaxText01ForCausalLM",
    MINIMAX.source,
    required=(*REQUIRED, FULL_ATTENTION_FLAGS),
    removed=REQUIRED,
    rules=(k.ATTENTION_HEADS_RULE, k.one_for_each_layer(FULL_ATTENTION_FLAGS)),
    compose=minimax_text_01,
)
MINIMAX_M1 = variant(
    MINIMAX_TEXT_01,
    "minimax_m1",
    "MiniMax-M1",
    "MiniMaxM1ForCausalLM",
    "https://arxiv.org/abs/2506.13585",
)
MINIMAX_M2 = Family(
    model_type="minimax_m2",
    title="MiniMax-M2",
    source="https://huggingface.co/MiniMaxAI/MiniMax-M2",
    architectures=("MiniMaxM2ForCausalLM",),
    defaults={
        **sizes(D=3072, L=62, H=48, H_kv=8, d_h=128, F=1536, V=200_064, E=256, k=8),
        k.TIE_EMBEDDINGS: False,
        k.MTP_LAYERS: None,
    },
    compose=minimax_m2,
    notes=(CORRECTION_BIAS_NOTE, MTP_NOTE),
    positions=parts.Positions.ROTARY,
)
MINIMAX_M3 = variant(
    MINIMAX_M2,
    "minimax_m3_vl_text",
    "MiniMax-M3 (text decoder)",
    "MiniMaxM3VLForCausalLM",
    defaults={
        **sizes(D=6144, L=60, H=64, H_kv=4, F=12_288),
        **sizes(E=128, k=4, F_e=3072, F_s=3072, H_i=4, d_i=128),
        **unset(k.LAYER_TYPES, SPARSE_LAYER_FLAGS, k.FFN_LAYER_TYPES, EXPERT_LAYER_FLAGS),
    },
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.one_for_each_layer(SPARSE_LAYER_FLAGS, k.FFN_LAYER_TYPES, EXPERT_LAYER_FLAGS),
        k.layer_types_of("minimax_m3_sparse", *k.FULL_ATTENTION_NAMES),
    ),
    names={
        "intermediate_size": k.EXPERT_DIM,
        "dense_intermediate_size": k.FFN_DIM,
        "sparse_attention_config.sparse_num_index_heads": k.INDEX_HEADS,
        "sparse_attention_config.sparse_index_dim": k.INDEX_HEAD_DIM,
    },
    compose=minimax_m3,
)
