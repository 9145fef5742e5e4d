"""Inkling and Inkling 2: short convolutions in every layer, learned relative positions."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, MTP_NOTE, UNTIED_NOTE
from sphinx_llmsize.architecture.family import Family, Items, sizes, unset
from sphinx_llmsize.architecture.layers import Kinds, among, every, first, layer_stacks
from sphinx_llmsize.architecture.stacks import Item, LayerKind
from sphinx_llmsize.architecture.stages import Block, Residual, Stage, side_by_side
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_H, E_S, F_E, H_KV, H_W, V_O, D, E, F, H, L, V
from sphinx_llmsize.translation import N_

H_KVW = Symbol("H_kv,w", N_("key/value heads in sliding windows"))
D_W = Symbol("d_w", N_("head dimension in sliding windows"))
P_W = Symbol("P_w", N_("tokens in a sliding window, with one bias per distance"))
F_D = Symbol("F_d", N_("FFN dimension of the dense layers"))

WINDOW_KV_HEADS = k.size_key(H_KVW, "num_window_kv_heads swa_num_key_value_heads")
WINDOW_HEAD_DIM = k.size_key(D_W, "window_head_dim swa_head_dim")
WINDOW = k.size_key(P_W, "window_size sliding_window_size sliding_window")
RELATIVE_DIM = k.size_key(parts.D_R, "relative_dim d_rel")
RELATIVE_EXTENT = k.size_key(parts.P_R, "relative_extent rel_extent")
DENSE_DIM = k.size_key(F_D, "dense_ffn_dim dense_intermediate_size", optional=True)
"""FFN width of dense layers; if it is configured, ``ffn_dim`` is the width of the experts."""
WINDOW_LAYERS = k.make_key(
    "window_layers local_layer_ids",
    N_("layers with a sliding window, counted from 0"),
    k.ValueKind.LAYERS,
    optional=True,
)
SLIDING_SIZES = {H: H_W, H_KV: H_KVW, D_H: D_W, parts.P_R: P_W}
"""Sizes that replace others in layers with a sliding window."""
FULL, SLIDING = parts.FULL_ATTENTION, parts.SLIDING_ATTENTION
KIND_BY_NAME = {"hybrid": FULL, "hybrid_sliding": SLIDING}
"""Kinds of attention by their names in ``layer_types``."""


def inkling(config: Config) -> Items:
    """GQA with QK norms; sliding layers have other sizes; an MLP or experts.

    The router also computes weights for the shared experts.
    """
    full = parts.relative_attention(norms=parts.qk_norms())
    sliding = parts.with_sizes(full, SLIDING_SIZES)
    # dense_intermediate_size (F_d) is the width of dense layers; intermediate_size (F) is then that
    # of experts. Without it, these are intermediate_size (F) and moe_intermediate_size (F_e).
    if config.has(DENSE_DIM):
        dense_width, expert_width = F_D, F
    else:
        dense_width, expert_width = F, F_E
    scale = parts.vector("mlp_scale", ONE, "mlp_scale", label=N_("scale"))
    dense = parts.add_tensors(parts.gated_mlp(width=dense_width), scale, to="ffn_down")
    shared = parts.shared_expert(width=E_S * expert_width) if config.has(E_S) else ()
    router = (
        *parts.linear("router", D, E + E_S, "router"),
        parts.vector("router.scale", ONE, "router", label=N_("scale")),
    )
    experts = parts.mixture_of_experts(
        parts.gated_experts(width=expert_width), router=router, shared=shared
    )

    def block(mixer: LayerKind, ffn: LayerKind) -> Block:
        attention = sliding if mixer == SLIDING else full
        feed_forward = dense if ffn == parts.DENSE else experts
        after_attention = parts.output_convolution(
            "attention_convolution", N_("Convolution after attention")
        )
        after_ffn = parts.output_convolution("ffn_convolution", N_("Convolution after FFN"))
        return parts.pre_norm(
            parts.rms_norm, (*attention, after_attention), (*feed_forward, after_ffn)
        )

    ffn = parts.ffn_kinds(config, otherwise=parts.first_dense(config))
    layers = layer_stacks(config.count(L), block, mixer=kinds_by_window_layers(config), ffn=ffn)
    return untied_decoder(config, *layers)


def inkling2(config: Config) -> Items:
    """Clipped attention with a gate and sinks, then experts.

    The layers are in groups. Each attention and each FFN reads a weighted sum, whose addends are
    the summed outputs of each earlier group, and those of its own group so far.
    """
    # sliding layers have the default convolutions, with the same weights for every token
    sliding = parts.with_sizes(parts.clipped_attention(parts.relative_attention()), SLIDING_SIZES)
    full = parts.clipped_attention(
        parts.relative_attention(convolution=parts.kv_convolution(dynamic=True))
    )
    experts = parts.mixture_of_experts(parts.gated_experts())

    def layer(kind: LayerKind | None, mixer: LayerKind) -> Block:
        attention = sliding if mixer == SLIDING else full
        attention_steps = (
            *_attention_inputs(mixer, is_first=kind == parts.FIRST),
            *attention,
            parts.output_convolution("attention_convolution", N_("Convolution after attention")),
        )
        convolution = parts.output_convolution("ffn_convolution", N_("Convolution after experts"))
        input_of_experts = (parts.block_residual("ffn_residual", N_("Input of experts")),)
        return (
            Residual(attention_steps),
            parts.ffn_residual(parts.rms_norm, (*experts, convolution), before=input_of_experts),
        )

    # the other layers need no kind besides their attention
    kinds = first(1, parts.FIRST, then=None)
    layers = layer_stacks(config.count(L), layer, kind=kinds, mixer=kinds_by_layer_types(config))
    final_input = parts.block_residual("final_residual", N_("Input of the head"))
    return untied_decoder(config, *layers, final_input, head_rows=V_O)


def kinds_by_window_layers(config: Config) -> Kinds:
    """Kinds of attention in ``layer_types``, else sliding windows in the listed layers."""
    if config[WINDOW_LAYERS] is None or config.names(k.LAYER_TYPES):
        return kinds_by_layer_types(config)
    return among(config.counts(WINDOW_LAYERS), SLIDING, others=FULL)


def untied_decoder(config: Config, *items: Item, head_rows: Size = V) -> Items:
    """Decoder of these layers, with a normed token embedding and an untied LM head."""
    # the published code ignores tie_word_embeddings
    embeddings = (parts.token_embedding(), parts.embedding_norm(bias=False))
    return parts.decoder(config, items, embeddings=embeddings, tied=False, head_rows=head_rows)


def _attention_inputs(mixer: LayerKind, *, is_first: bool) -> Block:
    """Weighted sums of earlier outputs, and norms on them.

    Full attention has a sum and a norm for each of Q, K and V, a sliding window one for all. The
    first layer has no sums: it reads the embedding, the only output so far.
    """
    if mixer == SLIDING:
        names: tuple[str, ...] = ("",)  # one sum without a name, for Q, K and V together
        norms: Block = (parts.rms_norm("attention_norm", N_("Attention norm")),)
    else:
        names = ("q", "k", "v")
        norms = side_by_side(*((_input_norm(name),) for name in names))
    if is_first:
        return norms
    label = N_("Input of attention")
    return (parts.block_residual("attention_residual", label, names), *norms)


def _input_norm(name: str) -> Stage:
    """Norm before the projection of queries, keys or values: q, k or v."""
    return parts.rms_norm(f"{name}_input_norm", N_("Norm before {weight}", weight=name.upper()))


def kinds_by_layer_types(config: Config) -> Kinds:
    """Kinds of attention in ``layer_types``; by default, full attention in every sixth layer."""
    every_sixth = every(6, FULL, others=SLIDING, start=5)
    return parts.mixer_kinds(config, KIND_BY_NAME, otherwise=every_sixth)


INKLING = Family(
    model_type="inkling_text",
    title="Inkling (text decoder)",
    source="https://huggingface.co/docs/transformers/model_doc/inkling",
    architectures=("InklingForCausalLM",),
    defaults={
        **sizes(D=6144, L=66, H=64, H_kv=8, d_h=128, V=201_024, H_w=64),
        WINDOW_KV_HEADS: 16,
        WINDOW_HEAD_DIM: 128,
        WINDOW: 512,
        RELATIVE_DIM: 16,
        RELATIVE_EXTENT: 1024,
        k.CONV_WIDTH: 4,
        **unset(k.LAYER_TYPES, WINDOW_LAYERS, k.FFN_LAYER_TYPES, k.MTP_LAYERS),
        k.FFN_DIM: 24_576,
        DENSE_DIM: None,
        k.FIRST_DENSE_LAYERS: 0,
        **sizes(E=256, k=6, F_e=3072, E_s=2),
        k.TIE_EMBEDDINGS: False,
    },
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.one_for_each_layer(k.FFN_LAYER_TYPES),
        k.layer_types_of(*KIND_BY_NAME),
    ),
    names={"dense_mlp_idx": k.FIRST_DENSE_LAYERS, "sconv_kernel_size": k.CONV_WIDTH},
    compose=inkling,
    notes=(CORRECTION_BIAS_NOTE, MTP_NOTE, UNTIED_NOTE),
    windows=parts.windows_in(
        parts.layers_of_kind(SLIDING, kinds_by_window_layers), parts.window_from(WINDOW)
    ),
    positions=parts.Positions.RELATIVE,
)
INKLING2 = Family(
    model_type="inkling2_text",
    title="Inkling 2 (text decoder)",
    source="https://huggingface.co/docs/transformers/model_doc/inkling2",
    architectures=("Inkling2ForCausalLM",),
    defaults={
        **sizes(D=4608, L=48, H=48, H_kv=8, d_h=128, V=201_024, H_w=48),
        WINDOW_KV_HEADS: 8,
        WINDOW_HEAD_DIM: 128,
        WINDOW: 1024,
        RELATIVE_DIM: 16,
        RELATIVE_EXTENT: 1024,
        **sizes(V_o=200_058, W=4, E=384, k=8, F_e=2304),
        k.LAYER_TYPES: None,
        k.TIE_EMBEDDINGS: False,
    },
    rules=(k.ATTENTION_HEADS_RULE, k.layer_types_of(*KIND_BY_NAME)),
    names={
        "intermediate_size": k.EXPERT_DIM,
        "sconv_kernel_size": k.CONV_WIDTH,
        "unpadded_vocab_size": k.OUTPUT_VOCAB_SIZE,
    },
    compose=inkling2,
    notes=(CORRECTION_BIAS_NOTE, UNTIED_NOTE),
    windows=parts.windows_in(
        parts.layers_of_kind(SLIDING, kinds_by_layer_types), parts.window_from(WINDOW)
    ),
    positions=parts.Positions.RELATIVE,
)
