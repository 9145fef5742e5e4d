"""LFM2 and LFM3: short convolutions, attention in some layers."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Quantity, Size
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, among, every, layered, same
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention, output_gate
from sphinx_llmsize.architecture.parts.blocks import (
    inserted,
    mixer_pre_norm,
    mixer_sandwich_norm,
    pre_norm,
    sandwich_norm,
)
from sphinx_llmsize.architecture.parts.convolution import short_convolution
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import gated_experts, mixture_of_experts
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.layer_kinds import first_dense, mixer_kinds
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.parts.windows import by_layer_types
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    FIRST_DENSE_LAYERS,
    NUM_EXPERTS,
)
from sphinx_llmsize.config.key import Key, Kind, flag
from sphinx_llmsize.config.layer_types import FULL_ATTENTION_LAYERS, LAYER_TYPES
from sphinx_llmsize.config.mixers import CONV_WIDTH, MIXER_CONV_BIAS
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer, only_these
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    FFN_MULTIPLE_OF,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    SANDWICH_NORM,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
    H,
    L,
)
from sphinx_llmsize.config.windows import SLIDING_WINDOW

ADJUST_FFN_DIM = flag(
    "adjust_ffn_dim",
    "ffn_dim is taken times 2/3 and ffn_multiplier, rounded up to ffn_multiple_of",
    "block_auto_adjust_ff_dim",
)
FFN_MULTIPLIER = Key(
    "ffn_multiplier", "a factor on ffn_dim", ("block_ffn_dim_multiplier",), Kind.RATIO
)
ATTENTION_GATE = flag("attention_gate", "a gate on each head", "use_attention_gate")
NAMES = {
    "conv": "convolution",
    "full_attention": "attention",
    "sliding_attention": "attention",
    "attention": "attention",
}


def lfm2(config: Config) -> tuple[Item, ...]:
    """Attention in the layers that are listed, or in all; an MLP in each."""
    width = ffn_width(config)

    def block(mixer: str) -> Block:
        return lfm2_block(config, mixer, gated_mlp(width=width))

    chosen = among(config.counts(FULL_ATTENTION_LAYERS), "attention", others="convolution")
    unlisted = same("attention") if config[FULL_ATTENTION_LAYERS] is None else chosen
    mixer = mixer_kinds(config, NAMES, otherwise=unlisted)
    return decoder(config, layered(config.count(L), block, mixer=mixer), norm=rms_norm)


def lfm2_moe(config: Config) -> tuple[Item, ...]:
    """An MLP in the first layers, experts in the others."""

    def block(mixer: str, ffn: str) -> Block:
        feed_forward = gated_mlp() if ffn == "dense" else mixture_of_experts(gated_experts())
        return lfm2_block(config, mixer, feed_forward)

    mixer = mixer_kinds(config, NAMES, otherwise=same("attention"))
    ffn = first_dense(config)
    return decoder(config, layered(config.count(L), block, mixer=mixer, ffn=ffn), norm=rms_norm)


def lfm2_block(config: Config, mixer: str, feed_forward: Block) -> Block:
    """Grouped-query attention with norms on queries and keys, or a convolution."""
    if mixer == "attention":
        return pre_norm(rms_norm, grouped_query_attention(norms=head_norms()), feed_forward)
    convolution = short_convolution(bias=config.flag(MIXER_CONV_BIAS))
    return mixer_pre_norm(rms_norm, convolution, feed_forward)


def lfm3(config: Config) -> tuple[Item, ...]:
    """Attention in every other layer, with a gate on each head."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=head_norms())
    if config.flag(ATTENTION_GATE):
        attention = inserted(attention, output_gate(width=H), before="attention_output")
    convolution = short_convolution(bias=config.flag(MIXER_CONV_BIAS))
    sandwich = config.flag(SANDWICH_NORM)

    def block(mixer: str) -> Block:
        if mixer == "attention":
            frame = sandwich_norm if sandwich else pre_norm
            return frame(rms_norm, attention, gated_mlp())
        around = mixer_sandwich_norm if sandwich else mixer_pre_norm
        return around(rms_norm, convolution, gated_mlp())

    by_turns = every(2, "attention", others="convolution", start=2)
    mixer = mixer_kinds(config, NAMES, otherwise=by_turns)
    return decoder(config, layered(config.count(L), block, mixer=mixer), norm=rms_norm)


def sliding_layers(config: Config) -> Kinds:
    """Every fourth layer but the first: every second that has attention."""
    return every(4, True, others=False, start=4)


def ffn_width(config: Config) -> Size:
    """F, or what LFM2's code makes of it: 2/3, times a factor, rounded up."""
    if not config.flag(ADJUST_FFN_DIM):
        return F
    factor, multiple = config[FFN_MULTIPLIER], config.count(FFN_MULTIPLE_OF)
    assert isinstance(factor, (int, float))
    width = int(factor * int(2 * config.count(F) / 3))
    rounded = -(-width // multiple) * multiple
    return Quantity("F_a", "feed-forward dimension, 2/3 of F rounded up", rounded)


LISTED = (ATTENTION_HEADS, one_for_each_layer(LAYER_TYPES), only_these(LAYER_TYPES, NAMES))
LFM2 = Family(
    model_type="lfm2",
    title="LFM2",
    source="https://arxiv.org/abs/2511.23404",
    architectures=("Lfm2ForCausalLM",),
    defaults={
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 32,
        LAYER_TYPES: None,
        FULL_ATTENTION_LAYERS: None,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 8,
        HEAD_DIM: None,
        CONV_WIDTH: 3,
        FFN_DIM: 12_288,
        ADJUST_FFN_DIM: True,
        FFN_MULTIPLE_OF: 256,
        FFN_MULTIPLIER: 1.0,
        VOCAB_SIZE: 65_536,
        MIXER_CONV_BIAS: False,
        TIE_EMBEDDINGS: True,
    },
    names={"block_ff_dim": FFN_DIM, "tie_embedding": TIE_EMBEDDINGS},
    rules=LISTED,
    compose=lfm2,
)
LFM2_MOE = replace(
    LFM2,
    model_type="lfm2_moe",
    title="LFM2 MoE",
    source="https://arxiv.org/abs/2511.23404",
    architectures=("Lfm2MoeForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 8,
        HEAD_DIM: None,
        CONV_WIDTH: 3,
        FFN_DIM: 7168,
        NUM_EXPERTS: 32,
        EXPERTS_PER_TOKEN: 4,
        EXPERT_DIM: 1792,
        FIRST_DENSE_LAYERS: 2,
        VOCAB_SIZE: 65_536,
        MIXER_CONV_BIAS: False,
        TIE_EMBEDDINGS: True,
    },
    names={"tie_embedding": TIE_EMBEDDINGS},
    required=(LAYER_TYPES,),
    compose=lfm2_moe,
)
LFM3 = replace(
    LFM2,
    model_type="lfm3",
    title="LFM3",
    source="https://huggingface.co/docs/transformers/model_doc/lfm3",
    architectures=("Lfm3ForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 24,
        LAYER_TYPES: None,
        NUM_HEADS: 16,
        NUM_KV_HEADS: 4,
        HEAD_DIM: 128,
        SLIDING_WINDOW: 256,
        CONV_WIDTH: 7,
        FFN_DIM: 7680,
        VOCAB_SIZE: 128_000,
        MIXER_CONV_BIAS: False,
        ATTENTION_BIAS: False,
        ATTENTION_GATE: True,
        SANDWICH_NORM: True,
        TIE_EMBEDDINGS: True,
    },
    names={},
    compose=lfm3,
    spans=by_layer_types(sliding_layers),
)

FAMILIES = (LFM2, LFM2_MOE, LFM3)
