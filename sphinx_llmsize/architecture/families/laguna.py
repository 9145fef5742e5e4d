"""Laguna: gated attention, in some layers of more heads than in others; experts."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture.families.qwen import normed_attention
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, first, layered, listed, same
from sphinx_llmsize.architecture.parts.attention import output_gate
from sphinx_llmsize.architecture.parts.blocks import inserted, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    corrected_router,
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.layer_kinds import ffn_kinds
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.other_sizes import with_sizes
from sphinx_llmsize.architecture.parts.windows import by_layer_types, no_layer
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    NUM_EXPERTS,
    SHARED_EXPERT_DIM,
)
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    D_H,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    H,
    L,
)
from sphinx_llmsize.config.windows import LISTED_WINDOWS, SLIDING_WINDOW
from sphinx_llmsize.translation import N_

GATE = Key(
    "output_gate",
    "the output gate: per-head (or true), one number for each head, or per-element",
    ("gating",),
    Kind.CHOICE,
)
HEADS_OF_LAYERS = Key(
    "num_heads_of_layers",
    "attention heads of each layer, where they are not num_heads in all",
    ("num_attention_heads_per_layer",),
    Kind.COUNTS,
    optional=True,
)


def laguna(config: Config) -> tuple[Item, ...]:
    """Some layers have more heads than others; the correction bias is a parameter."""
    gate = output_gate(width=H if config[GATE] in (True, "per-head") else H * D_H)
    attention = inserted(normed_attention(config), gate, before="attention_output")
    experts = mixture_of_experts(gated_experts(), router=corrected_router(), shared=shared_expert())

    usual = f"{config.count(H)} heads"

    def block(heads: str, ffn: str) -> Block:
        feed_forward = gated_mlp() if ffn == "dense" else experts
        mixer = attention if heads == usual else with_heads(attention, heads)
        return pre_norm(rms_norm, mixer, feed_forward)

    ffn = ffn_kinds(config, first(1, "dense", then="MoE"))
    layers = layered(config.count(L), block, heads=heads_of_layers(config), ffn=ffn)
    return decoder(config, layers, norm=rms_norm)


def heads_of_layers(config: Config) -> Kinds:
    """``64 heads`` and the like, as listed; else the usual ones in every layer."""
    kinds = [f"{count} heads" for count in config.counts(HEADS_OF_LAYERS)]
    return listed(kinds) if kinds else same(f"{config.count(H)} heads")


def with_heads(attention: Block, kind: str) -> Block:
    """The attention with as many heads as the kind says."""
    count = int(kind.split(maxsplit=1)[0])
    heads = Quantity(
        f"H_{count}", N_("attention heads where there are {number}", number=count), count
    )
    return with_sizes(attention, {H: heads})


LAGUNA = Family(
    model_type="laguna",
    title="Laguna",
    source="https://huggingface.co/docs/transformers/model_doc/laguna",
    architectures=("LagunaForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 40,
        NUM_HEADS: 48,
        HEADS_OF_LAYERS: None,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 128,
        GATE: True,
        FFN_DIM: 8192,
        NUM_EXPERTS: 256,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 512,
        SHARED_EXPERT_DIM: 512,
        FFN_LAYER_TYPES: None,
        SLIDING_WINDOW: 512,
        LAYER_TYPES: None,
        VOCAB_SIZE: 100_352,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(FFN_LAYER_TYPES, HEADS_OF_LAYERS), LISTED_WINDOWS),
    compose=laguna,
    spans=by_layer_types(no_layer),
)

FAMILIES = (LAGUNA,)
