"""Inkling and Inkling 2: short convolutions everywhere, positions as learned relative biases."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Symbol
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, among, every, first, layered, listed
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.parts.block_residuals import block_residual
from sphinx_llmsize.architecture.parts.blocks import with_weights
from sphinx_llmsize.architecture.parts.embeddings import embedding_norm, lm_head, token_embedding
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.layer_kinds import ffn_kinds, first_dense
from sphinx_llmsize.architecture.parts.linear import linear, vector
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.parts.other_sizes import with_sizes
from sphinx_llmsize.architecture.parts.relative_attention import (
    D_R,
    P_R,
    clipped,
    dynamic_kv_convolution,
    output_convolution,
    relative_attention,
)
from sphinx_llmsize.architecture.parts.windows import tokens_of, where, with_windows
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Stage, side_by_side
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    E_S,
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    F_E,
    FIRST_DENSE_LAYERS,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
    E,
)
from sphinx_llmsize.config.key import Key, Kind, size_key
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, LAYER_TYPES
from sphinx_llmsize.config.mixers import CONV_WIDTH
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer
from sphinx_llmsize.config.sliding_latent import H_W, SLIDING_HEADS
from sphinx_llmsize.config.vocabulary import (
    D_H,
    FFN_DIM,
    H_KV,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    F,
    H,
    L,
)
from sphinx_llmsize.translation import N_

H_KVW = Symbol("H_kv,w", "key/value heads in sliding windows")
D_W = Symbol("d_w", "head dimension in sliding windows")
P_W = Symbol("P_w", "tokens of a sliding window, each distance with a bias")
F_D = Symbol("F_d", "feed-forward dimension of the dense layers")

WINDOW_KV_HEADS = size_key(H_KVW, "num_window_kv_heads", "swa_num_key_value_heads")
WINDOW_HEAD_DIM = size_key(D_W, "window_head_dim", "swa_head_dim")
WINDOW = size_key(P_W, "window_size", "sliding_window_size", "sliding_window")
RELATIVE_DIM = size_key(D_R, "relative_dim", "d_rel")
RELATIVE_EXTENT = size_key(P_R, "relative_extent", "rel_extent")
DENSE_DIM = size_key(F_D, "dense_ffn_dim", "dense_intermediate_size", optional=True)
"""Where it is given, ``ffn_dim`` is the width of the experts."""
WINDOW_LAYERS = Key(
    "window_layers",
    "numbers of the layers with a sliding window, from 0",
    ("local_layer_ids",),
    Kind.LAYERS,
    optional=True,
)
IN_WINDOWS = {H: H_W, H_KV: H_KVW, D_H: D_W, P_R: P_W}
FULL, SLIDING = "full attention", "sliding attention"


def inkling(config: Config) -> tuple[Item, ...]:
    """Norms on queries and keys; a router that weighs the shared experts too."""
    full = relative_attention(norms=head_norms())
    two_widths = config.has(DENSE_DIM)
    scale = vector("mlp_scale", ONE, "mlp_scale", label="scale")
    dense = with_weights(gated_mlp(width=F_D if two_widths else F), scale, of="ffn_down")
    width = F if two_widths else F_E
    shared = shared_expert(width=E_S * width) if config.has(E_S) else ()
    router = (
        *linear("router", D, E + E_S, "router"),
        vector("router.scale", ONE, "router", label="scale"),
    )
    experts = mixture_of_experts(gated_experts(width=width), router=router, shared=shared)

    def block(mixer: str, ffn: str) -> Block:
        return (
            rms_norm("attention_norm", "Attention norm"),
            *(with_sizes(full, IN_WINDOWS) if mixer == SLIDING else full),
            output_convolution("attention_convolution", "Convolution after attention"),
            rms_norm("ffn_norm", "FFN norm"),
            *(dense if ffn == "dense" else experts),
            output_convolution("ffn_convolution", "Convolution after FFN"),
        )

    otherwise = first_dense(config)
    kinds = {"mixer": numbered_windows(config), "ffn": ffn_kinds(config, otherwise)}
    return framed(*layered(config.count(L), block, **kinds))


def inkling2(config: Config) -> tuple[Item, ...]:
    """Gated heads with sinks; every block reads a weighted sum of earlier blocks' outputs."""
    sliding = with_sizes(clipped(relative_attention()), IN_WINDOWS)
    full = clipped(relative_attention(convolution=dynamic_kv_convolution()))
    experts = mixture_of_experts(gated_experts())
    inputs = {SLIDING: ("",), FULL: ("q", "k", "v")}

    def block(place: str | bool, mixer: str) -> Block:
        residual = block_residual("attention_residual", "Input of attention", inputs[mixer])
        return (
            *(() if place else (residual,)),
            *side_by_side(*((input_norm(name),) for name in inputs[mixer])),
            *(sliding if mixer == SLIDING else full),
            output_convolution("attention_convolution", "Convolution after attention"),
            block_residual("ffn_residual", "Input of experts"),
            rms_norm("ffn_norm", "FFN norm"),
            *experts,
            output_convolution("ffn_convolution", "Convolution after experts"),
        )

    place = first(1, "first", then=False)
    layers = layered(config.count(L), block, place=place, mixer=window_kinds(config))
    return framed(*layers, block_residual("final_residual", "Input of the head"))


def numbered_windows(config: Config) -> Kinds:
    """The layers of these numbers, unless all layers are listed by kind or none is numbered."""
    if config[WINDOW_LAYERS] is None or config.names(LAYER_TYPES):
        return window_kinds(config)
    return among(config.counts(WINDOW_LAYERS), SLIDING, others=FULL)


def framed(*items: Item) -> tuple[Item, ...]:
    """Layers between a normed embedding and a head of its own."""
    # the models' own code has no tied head, whatever tie_word_embeddings says
    embedding = (token_embedding(), embedding_norm(bias=False))
    return (*embedding, *items, rms_norm("final_norm", "Final norm"), lm_head(tied=False))


def input_norm(name: str) -> Stage:
    """The norm before attention, or that before its queries, keys or values alone."""
    if not name:
        return rms_norm("attention_norm", "Attention norm")
    return rms_norm(f"{name}_input_norm", N_("Norm before {weight}", weight=name.upper()))


def window_kinds(config: Config) -> Kinds:
    """Sliding windows except in every sixth layer, unless the layers are listed."""
    if types := config.names(LAYER_TYPES):
        return listed([SLIDING if name == "hybrid_sliding" else FULL for name in types])
    return every(6, FULL, others=SLIDING, start=5)


INKLING = Family(
    model_type="inkling_text",
    title="Inkling (text decoder)",
    source="https://huggingface.co/docs/transformers/model_doc/inkling",
    architectures=("InklingForCausalLM",),
    defaults={
        HIDDEN_DIM: 6144,
        NUM_LAYERS: 66,
        NUM_HEADS: 64,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 128,
        SLIDING_HEADS: 64,
        WINDOW_KV_HEADS: 16,
        WINDOW_HEAD_DIM: 128,
        WINDOW: 512,
        RELATIVE_DIM: 16,
        RELATIVE_EXTENT: 1024,
        CONV_WIDTH: 4,
        LAYER_TYPES: None,
        WINDOW_LAYERS: None,
        FFN_DIM: 24_576,
        DENSE_DIM: None,
        FFN_LAYER_TYPES: None,
        FIRST_DENSE_LAYERS: 0,
        NUM_EXPERTS: 256,
        EXPERTS_PER_TOKEN: 6,
        EXPERT_DIM: 3072,
        NUM_SHARED_EXPERTS: 2,
        VOCAB_SIZE: 201_024,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(LAYER_TYPES, FFN_LAYER_TYPES)),
    names={"dense_mlp_idx": FIRST_DENSE_LAYERS, "sconv_kernel_size": CONV_WIDTH},
    compose=inkling,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
    spans=with_windows(where(SLIDING, numbered_windows), tokens_of(WINDOW)),
)
INKLING2 = Family(
    model_type="inkling2_text",
    title="Inkling 2 (text decoder)",
    source="https://huggingface.co/docs/transformers/model_doc/inkling2",
    architectures=("Inkling2ForCausalLM",),
    defaults={
        HIDDEN_DIM: 4608,
        NUM_LAYERS: 48,
        NUM_HEADS: 48,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 128,
        SLIDING_HEADS: 48,
        WINDOW_KV_HEADS: 8,
        WINDOW_HEAD_DIM: 128,
        WINDOW: 1024,
        RELATIVE_DIM: 16,
        RELATIVE_EXTENT: 1024,
        CONV_WIDTH: 4,
        LAYER_TYPES: None,
        NUM_EXPERTS: 384,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 2304,
        VOCAB_SIZE: 201_024,
        TIE_EMBEDDINGS: False,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(LAYER_TYPES)),
    names={"intermediate_size": EXPERT_DIM, "sconv_kernel_size": CONV_WIDTH},
    compose=inkling2,
    notes=(CORRECTION_BIAS_NOTE,),
    spans=with_windows(where(SLIDING, window_kinds), tokens_of(WINDOW)),
)

FAMILIES = (INKLING, INKLING2)
